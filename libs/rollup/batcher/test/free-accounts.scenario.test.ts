import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DEFAULT_STALL_TIMEOUT_SECONDS, stateProofValues } from '@tetrad/rollup-chain';
import { ciphertextWords, operationHash, rollupDomain, splitTotalIndex } from '@tetrad/rollup-crypto';
import { proveAccount, proveBalance, proveOrder, type Account } from '@tetrad/rollup-state';
import type { StoredMoneyOrder } from '@tetrad/rollup-store';
import { until } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { describeWithAnvil, startChain, type TestChain } from '../../chain/test/anvil-chain.js';
import type { RollupUser } from '../../state/src/testing/rollup-user.js';
import { longestLead } from '../src/index.js';
import { UNIT, openTestRollup, type TestBatcher, type TestRollup } from './test-rollup.js';

/** Each costs its holder nothing but the least deposit. */
const FREE = 8;
const [POLITE, HOLDER] = [1, 2];
/** Longer than all else that a batch takes: batches wait for the prover, as in a deployment. */
const PROOF_MS = 600;
const ids = Array.from({ length: FREE + 2 }, (_, index) => index + 1);
const free = ids.filter((id) => id !== POLITE && id !== HOLDER);

/** At the defaults of a deployment, against a batcher with a prover on a chain without a gas price. */
describeWithAnvil('a holder with free accounts', () => {
  let chain: TestChain;
  let rollup: TestRollup;
  let batcher: TestBatcher;
  let payer: Address;
  let users: readonly RollupUser[];

  beforeAll(async () => {
    chain = await startChain();
    rollup = await openTestRollup(chain, undefined, DEFAULT_STALL_TIMEOUT_SECONDS);
    payer = chain.accounts[1] as Address;
    batcher = await rollup.startBatcher();
    await rollup.startProver({ kind: 'statements', takesMs: PROOF_MS });
    users = ids.map((id) => rollup.user(id));
    for (const user of users) await rollup.accept(user.create());
    await settled(async () => Number(await rollup.read('nextAccountId')) > ids.length);
    for (const id of ids) await deposit(id, id === HOLDER ? 1_000n : 1n);
    await settled(async () => Number(await rollup.read('nextDeposit')) === ids.length);
  });
  afterAll(async () => {
    await rollup?.close();
    await chain?.stop();
  });

  const settled = (isSo: () => Promise<boolean>) =>
    until(async () => {
      await chain.ask('evm_mine');
      return (await isSo()) && (await rollup.store.finalHeight()) === Number(await rollup.read('height'));
    }, 400);
  const deposit = (id: number, amount: bigint) =>
    chain.send({ from: payer, ...rollup.call('registerInboundTransferETH', [id]), value: amount * UNIT });

  const orderOf = async (id: number): Promise<StoredMoneyOrder> => {
    const query = {
      toAccountId: id,
      fromTotalIndex: 0,
      upToHeight: await rollup.store.finalHeight(),
      limit: 1,
    };
    const [received] = (await rollup.store.listReceivedOrders(query)).values();
    if (received === undefined) throw new Error(`account ${id} has no order`);
    return received;
  };
  const redemptionOf = async (id: number) => {
    const { order, totalIndex } = await orderOf(id);
    const operation = users[id - 1]?.redeem(order, totalIndex, 1);
    if (operation?.kind !== 'redeemMoneyOrder') throw new TypeError('no redemption');
    return operation;
  };
  /** The state as the operator has it: a holder reads the same from the chain. */
  const nodesAt = async (tree: number, height: number) => {
    const { rows } = await rollup.database.pool.query<{ level: number; index: number; hash: Buffer }>(
      `SELECT DISTINCT ON (level, index) level, index, hash FROM tree_node WHERE tree = $1 AND batch_height <= $2
        ORDER BY level, index, batch_height DESC`,
      [tree, height],
    );
    const nodes = new Map(
      rows.map(({ level, index, hash }) => [`${level}/${index}`, BigInt(`0x${hash.toString('hex')}`)]),
    );
    return (level: number, index: number) => nodes.get(`${level}/${index}`);
  };
  const requestOf = async (id: number): Promise<{ readonly to: Address; readonly data: Hex }> => {
    const height = await rollup.store.finalHeight();
    const operation = await redemptionOf(id);
    const { order, totalIndex, signature, ciphertext } = operation;
    const [accountNode, historyNode] = [await nodesAt(1, height), await nodesAt(2, height)];
    const { batchHeight } = splitTotalIndex(totalIndex);
    const hashes = await rollup.store.batchOrders(batchHeight);
    const orders = () => hashes;
    const account = (await rollup.store.findLatestAccount(id)) as Account;
    const values = stateProofValues.redemption({
      account: proveAccount({ accountNode, historyNode }, account),
      balance: proveBalance(account, 0),
      order: proveOrder({ historyNode, orders }, { order, totalIndex }),
      text: ciphertextWords(ciphertext),
      signature,
    });
    return rollup.call('requestRedemption', [height, values]);
  };

  const refusal = async (name: string, values: readonly unknown[]) =>
    rollup.codec.errorName((await chain.revertData({ from: payer, ...rollup.call(name, values) })) ?? '0x');

  it('delays neither a holder who asks for more, nor who asks the operator, nor deposits; and freezes nothing', async () => {
    const domain = rollupDomain(chain.chainId, rollup.contract);
    const problems = new Set<string | undefined>();
    const heightOf = async (id: number) => {
      const { rows } = await rollup.database.pool.query<{ height: number | null }>(
        `SELECT batch_height AS height FROM operation WHERE account_id = $1 AND kind = 3 AND status = 'EXECUTED'`,
        [id],
      );
      return rows[0]?.height ?? undefined;
    };
    const calls = await Promise.all(free.map(requestOf));
    for (const call of calls) await chain.send({ from: payer, ...call });
    for (const id of free) await deposit(id, 1n);
    const polite = await redemptionOf(POLITE);
    await rollup.accept(polite);
    await chain.send({ from: payer, ...(await requestOf(HOLDER)) });
    const asked = await rollup.store.finalHeight();
    await until(async () => {
      await chain.ask('evm_mine');
      problems.add(batcher.running.problem);
      const open = await Promise.all(ids.map((id) => rollup.read('overdueAt', [id])));
      return open.every((due) => due === 0n) && (await heightOf(POLITE)) !== undefined;
    }, 400);
    const last = Math.max(...(await Promise.all(free.map(async (id) => (await heightOf(id)) ?? Infinity))));
    expect(last).toBeLessThan(Infinity);
    expect((await rollup.store.findOperation(operationHash(domain, polite)))?.status).toBe('EXECUTED');
    // Behind what was under way when it was asked, and no further.
    for (const id of [HOLDER, POLITE])
      expect(((await heightOf(id)) ?? Infinity) - asked).toBeLessThanOrEqual(longestLead(1));
    await settled(async () => Number(await rollup.read('nextDeposit')) === ids.length + free.length);
    expect([...problems]).toEqual([undefined]);
    // Nothing is left that could freeze it, however late.
    await batcher.stop();
    await chain.passTime(1_000 * DEFAULT_STALL_TIMEOUT_SECONDS);
    for (const id of ids) expect(await refusal('announceByRequest', [id])).toBe('NotRequested');
    const count = ids.length + free.length;
    for (const index of [0, count - 1, count])
      expect(await refusal('announceByDeposit', [index])).toBe('NotRequested');
    expect(await rollup.read('frozen')).toBe(false);
  });
});
