import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { OperatorHome, SUBMITTER, type Deployed } from './operator-process.js';

describeWithAnvil('the command deploy', () => {
  let chain: TestChain;
  let home: OperatorHome;
  let test: TestDatabase;
  let deployed: Deployed;

  beforeAll(async () => {
    chain = await startChain();
    home = await OperatorHome.make(chain.url);
    test = await createTestDatabase('rollup-operator');
  });

  afterAll(async () => {
    await test?.drop();
    await home?.remove();
    await chain?.stop();
  });

  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: { code?: number; stderr?: string; message: string }) => reason,
    );
    return `${error?.code}: ${error?.stderr ?? error?.message}`;
  };
  const start = (identity: Deployed, flags: readonly string[] = []) =>
    home.start(identity, { databaseUrl: test.url, roles: 'batcher', flags });

  it('makes a contract of which the account is the operator, and says how to start one', async () => {
    await chain.send({ from: chain.accounts[0] as Address, to: SUBMITTER, value: 10n ** 18n });
    deployed = await home.deploy(['--batch-sizes', '1', '--stall-timeout', '60', '--min-deposit', '20']);
    expect(deployed).toMatchObject({ chainId: Number(chain.chainId), operator: SUBMITTER, batchSizes: [1] });
    expect(deployed).toMatchObject({ verifier: 'optimized', minDeposit: 20 });
    expect((await chain.ask<string>('eth_getCode', [deployed.contract, 'latest'])).length).toBeGreaterThan(
      1_000,
    );
    expect(deployed.contractBlock).toBe(Number(await chain.ask('eth_blockNumber')));
  });

  it.each([
    ['a size that was not built', ['--batch-sizes', '1,7'], /^1: .*Verifier7|^1: .*7/],
    ['a size twice', ['--batch-sizes', '1,1'], /^1: .*--batch-sizes: 1 is there twice/],
    [
      'promises that its proofs do not keep',
      ['--batch-sizes', '1', '--speed-check', 'measure', '--requests-per-timeout', '1000000'],
      /^1: .*make \d+ operations in --stall-timeout, and 28002000 are needed, of which others may demand 21001500: add provers/,
    ],
    [
      'a time-out that is over before what is under way is done',
      ['--batch-sizes', '1', '--speed-check', 'measure', '--proof-time', '2s', '--stall-timeout', '60'],
      /^1: .*need a --stall-timeout of 1470 s or more/,
    ],
    ['an invalid size', ['--batch-sizes', '0'], /^2: .*--batch-sizes/],
    ['a minimum of nothing', ['--min-deposit', '0'], /^2: .*--min-deposit/],
    [
      'a key file that is not there',
      ['--submitter-key-file', '/nowhere/key.json'],
      /^1: .*\/nowhere\/key\.json/,
    ],
    ['a chain that is unavailable', ['--chain-url', 'http://127.0.0.1:1'], /^1: .*127\.0\.0\.1:1/],
  ])('refuses %s in one line', async (_, flags, said) => {
    const text = await failure(home.deploy(flags));
    expect(text).toMatch(said);
    expect(text.trim().split('\n')).toHaveLength(1);
  });

  it('makes one that promises what proofs on this machine and blocks of this chain keep', async () => {
    const { contract } = await home.deploy([
      '--batch-sizes',
      '1',
      '--speed-check',
      'measure',
      '--requests-per-timeout',
      '1',
    ]);
    expect(contract).not.toBe(deployed.contract);
  });

  it.each([
    ['another chain', () => start({ ...deployed, chainId: 7 }), /is on chain 31337, not 7/],
    ['no contract', () => start({ ...deployed, contract: SUBMITTER }), /no contract at/],
    ['no verifier of the size', () => start(deployed), /no verifier for batches of 2/],
    ['no key', () => start(deployed, ['--submitter-key-file', '/nowhere']), /\/nowhere/],
  ])('leads to a batcher that does not start with %s', async (_, work, said) => {
    await test.drop();
    test = await createTestDatabase('rollup-operator');
    expect(await failure(work())).toMatch(said);
  });
});
