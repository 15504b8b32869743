import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { blsPrivateKeyOf } from './bls.js';
import { BlsSigner } from './bls-signer.js';
import { signData } from './sign.js';
import { runSigningJob, type BlsSignJob, type BlsSignature } from './signing-job.js';

const data = (n: number) => new Uint8Array(3).fill(n);

/** A signer whose batches are signed here, when they are let go. */
function signerOf(workers: number) {
  const sizes: number[] = [];
  const held: (() => void)[] = [];
  const signer = new BlsSigner({
    workers,
    run: (job: BlsSignJob) =>
      new Promise<readonly BlsSignature[]>((done) => {
        sizes.push(job.data.length);
        held.push(() => {
          const outcome = runSigningJob(job);
          if ('made' in outcome) done(outcome.made);
        });
      }),
  });
  return { signer, sizes, held };
}

describe('a signer with BLS', () => {
  it('takes single signatures while few wait, and small batches when many do', async () => {
    const { signer, sizes, held } = signerOf(2);
    const keys = Array.from({ length: 20 }, () => blsPrivateKeyOf(randomBytes(32)));
    const made = Promise.all(keys.map((key, at) => signer.sign(key, data(at))));
    expect([sizes, signer.waiting]).toEqual([[1, 1], 18]);
    while (held.length > 0) {
      held.shift()?.();
      await new Promise((turn) => setImmediate(turn));
    }
    expect(sizes).toEqual([1, 1, 4, 4, 3, 2, 2, 1, 1, 1]);
    expect(await made).toEqual(keys.map((key, at) => signData('bls', key, data(at)).data));
    await signer.settle();
  });

  it('refuses one key of a batch, and signs with the others', async () => {
    const { signer, held } = signerOf(1);
    const good = blsPrivateKeyOf(randomBytes(32));
    const asked = Promise.allSettled(
      [good, good, new Uint8Array(32), good].map((key, at) => signer.sign(key, data(at))),
    );
    while (held.length > 0) {
      held.shift()?.();
      await new Promise((turn) => setImmediate(turn));
    }
    const outcomes = await asked;
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'INVALID_KEY' } });
  });
});
