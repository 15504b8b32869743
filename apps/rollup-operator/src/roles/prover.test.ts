import { expect, it } from '@jest/globals';
import { OperatorError } from '@tetrad/types';
import { openProvers } from './prover.js';

const OPTIONS = { proverThreads: 1, pointsDir: undefined, batchSize: 2, batchSizes: undefined };

it('a prover starts with the sizes that circuits and points are there for, and names what is missing otherwise', async () => {
  for (const hasConsents of [true, false]) {
    const provers = await openProvers(OPTIONS, hasConsents);
    expect((await provers.open(2, hasConsents)).circuit).toMatchObject({ size: 2, hasConsents });
    await provers.close();
  }
  const withoutPoints = openProvers({ ...OPTIONS, batchSizes: [2, 8] });
  await expect(withoutPoints).rejects.toBeInstanceOf(OperatorError);
  await expect(withoutPoints).rejects.toThrow(
    /batches of 8 need 131073 .* has 32769; .*fetch-points --size 8 /,
  );
  await expect(openProvers({ ...OPTIONS, batchSizes: [1, 2, 4_096] })).rejects.toThrow(
    'fetch-points --size 4096',
  );
});

it('of every build there is the circuit of contracts without consents too', async () => {
  const present = await openProvers(OPTIONS);
  const [one, other] = [await present.open(2), await present.open(2, false)];
  expect(one.circuit.version).not.toBe(other.circuit.version);
  await present.close();
});
