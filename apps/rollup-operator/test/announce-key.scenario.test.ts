import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { AgreeingRollup } from '../../../libs/rollup/chain/test/agreeing-rollup.js';
import {
  describeWithAnvil,
  startChain,
  type TestChain,
} from '../../../libs/rollup/chain/test/anvil-chain.js';
import { OperatorHome, SUBMITTER, type Deployed } from './operator-process.js';

describeWithAnvil('an operator that changes its key', () => {
  let chain: TestChain;
  let [before, after]: OperatorHome[] = [];
  let [rows, empty]: TestDatabase[] = [];
  let deployed: Deployed;

  beforeAll(async () => {
    chain = await startChain();
    await chain.send({ from: chain.accounts[0] as Address, to: SUBMITTER, value: 10n ** 18n });
    before = await OperatorHome.make(chain.url);
    after = await before.withNewKey();
    deployed = await before.deploy(['--batch-sizes', '2']);
    [rows, empty] = await Promise.all([
      createTestDatabase('rollup-operator'),
      createTestDatabase('rollup-operator'),
    ]);
  });

  afterAll(async () => {
    await Promise.all([rows?.drop(), empty?.drop()]);
    await before?.remove();
    await chain?.stop();
  });

  /** @returns `ready`, or why it did not start */
  const start = async (home: OperatorHome | undefined, roles = 'batcher'): Promise<string> => {
    try {
      const child = await home!.start(deployed, { databaseUrl: rows!.url, roles });
      await child.stop();
      return 'ready';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('announces it before it is started with it', async () => {
    expect(await start(before)).toBe('ready');
    expect(await start(after)).toMatch(/the contract at 0x\w+ has another operator key/);
  });

  it('announces a key once, however often the command runs', async () => {
    const report = { operatorKey: after!.key, formerOperatorKeys: [before!.key] };
    const transactionHash: unknown = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    expect(await after!.announceKey(deployed.contract)).toEqual({ ...report, transactionHash });
    expect(await after!.announceKey(deployed.contract)).toEqual({ ...report, transactionHash: null });
  });

  it('goes on with the key of before until it is started with the other one, which says what it was', async () => {
    expect(await start(before)).toBe('ready');
    expect(await start(after!.withoutFormerKey())).toMatch(/not of --former-operator-key-files/);
    // A process without the key files cannot say it, and waits for the batcher.
    expect(await start(after, 'api')).toMatch(/not of --former-operator-key-files/);
    expect(await start(after)).toBe('ready');
    expect(await start(before)).toMatch(/its operator key is another one/);
  });

  it('rebuilds its rows with both', async () => {
    expect(await after!.rebuild(deployed, empty!.url)).toMatchObject({ height: 0, isSame: true });
  });

  it('cannot where the contract is of an earlier version, and reads that', async () => {
    const { contract } = await AgreeingRollup.deploy(chain, { without: ['operatorKeys'] });
    await expect(after!.announceKey(contract)).rejects.toThrow(
      /--contract: the rollup at 0x\w+ is of an earlier version and keeps the operator key of its deployment/,
    );
  });
});
