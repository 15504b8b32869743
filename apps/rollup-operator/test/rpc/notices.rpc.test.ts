import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountNews } from '@tetrad/rollup-client';
import { totalIndex } from '@tetrad/rollup-crypto';
import type { StoredMoneyOrder } from '@tetrad/rollup-store';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service/issue-token';
import { until } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { AccountHolder } from '../account-holder.js';
import { TOKEN, compose, startOperator, type RunningOperator } from '../running-operator.js';
import { NoticeClient, type Message } from './notice-client.js';
import { startRelay } from './relay.js';

let folder: string;
let operator: RunningOperator;
let guarded: Awaited<ReturnType<typeof compose>>;
const tokenKey = createTokenKey();
const [alice, bob, carol] = [1, 2, 3].map((id) => new AccountHolder(id, 170 + id)) as [
  ...[AccountHolder, AccountHolder, AccountHolder],
];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-notices-'));
  await writeFile(join(folder, 'key.pub'), tokenPublicKey(tokenKey));
  operator = await startOperator();
  for (const holder of [alice, bob]) await operator.result('pazkp_createAccount', holder.registration());
  await operator.finalize();
  guarded = await compose(operator.databaseUrl, ['--auth-jwt-key-file', join(folder, 'key.pub')]);
});
afterAll(async () => {
  await guarded.stop();
  await operator.stop();
  await rm(folder, { recursive: true, force: true });
});

const batch = (height: number) => (message: Message) => message.params?.result['batchHeight'] === height;
const tokenOf = (accounts: readonly number[]) =>
  issueToken(tokenKey, { caller: 'app', permissions: ['*'], lifetimeSeconds: 600, accounts });

describe('notices', () => {
  it('tell of final batches and of received orders of an account, each once', async () => {
    const client = await NoticeClient.connect(operator.url);
    const { result: batches } = await client.call('rollup_subscribeFinalBatches');
    const { result: orders } = await client.call('rollup_subscribeReceivedMoneyOrders', [2]);
    await operator.deposit(2, TOKEN, 2n ** 60n);
    await operator.deposit(1, TOKEN, 5n);
    await operator.deposit(2, TOKEN, 7n);
    const height = await operator.finalize();
    await client.waitFor(batch(height));
    await client.waitFor(
      ({ params }) => params?.subscription === batches && params?.result['batchHeight'] === height,
    );
    const final = await operator.store.findBatch(height);
    expect(client.notices(batches).at(-1)).toEqual({
      batchHeight: height,
      blockNumber: final?.blockNumber,
      blockHash: final?.blockHash,
      batchStateRootHash: `0x${final?.roots?.state.toString(16).padStart(64, '0')}`,
    });
    expect(client.notices(batches)).toMatchObject([{ batchHeight: 2 }, { batchHeight: 3 }]);
    const listed = await operator.result<{ items: unknown[] }>('pazkp_listMoneyOrdersReceived', [
      0,
      10,
      null,
      2,
      null,
      null,
      null,
    ]);
    expect(listed.items).toHaveLength(2);
    const plain = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one))) as unknown;
    expect(plain(client.notices(orders))).toEqual(plain(listed.items));

    expect(await client.call('rollup_unsubscribe', [orders])).toMatchObject({ result: true });
    expect((await client.call('rollup_unsubscribe', [orders])).error?.data?.reason).toBe(
      'SUBSCRIPTION_NOT_FOUND',
    );
    await operator.deposit(2, TOKEN, 9n);
    const next = await operator.finalize();
    await client.waitFor(batch(next));
    expect(client.notices(orders)).toHaveLength(2);
    await client.close();
  });

  it('begin with what becomes final after the subscription, also when others had listened before', async () => {
    const early = await NoticeClient.connect(operator.url);
    const { result: first } = await early.call('rollup_subscribeFinalBatches');
    await operator.deposit(1, TOKEN, 1n);
    const height = await operator.finalize();
    const late = await NoticeClient.connect(operator.url);
    const { result: second } = await late.call('rollup_subscribeFinalBatches');
    await operator.deposit(1, TOKEN, 1n);
    const next = await operator.finalize();
    await Promise.all([early.waitFor(batch(next)), late.waitFor(batch(next))]);
    expect(early.notices(first)).toMatchObject([{ batchHeight: height }, { batchHeight: next }]);
    expect(late.notices(second)).toMatchObject([{ batchHeight: next }]);
    await Promise.all([early.close(), late.close()]);
  });

  it('tell how far the operations of an account are, first as it is, and each change until it is final or taken back', async () => {
    const client = await NoticeClient.connect(operator.url);
    const { result: progress } = await client.call('rollup_subscribeAccountProgress', [1]);
    const told = async (executedNonce: number, provedNonce: number, finalNonce: number, pending = 0) => {
      const none = { executedCredit: null, provedCredit: null, finalCredit: null };
      const nonces = { executedNonce, provedNonce, finalNonce };
      const wanted = { accountId: 1, ...nonces, ...none, pendingOperations: pending };
      await client.waitFor(() => isDeepStrictEqual(client.notices(progress).at(-1), wanted));
    };
    await told(0, 0, 0);
    await operator.result('pazkp_createMoneyOrder', alice.payment(bob, TOKEN, 1n, 1));
    await told(0, 0, 0, 1);
    // She has redeemed nothing: it is rejected.
    await operator.execute();
    await told(0, 0, 0);
    const [first] = await operator.store.listReceivedOrders({
      toAccountId: 1,
      fromTotalIndex: 0,
      upToHeight: await operator.store.finalHeight(),
      limit: 1,
    });
    const { order, totalIndex: index } = first as StoredMoneyOrder;
    await operator.result('pazkp_redeemMoneyOrder', alice.redemption(order, index, 1));
    await told(0, 0, 0, 1);
    const height = (await operator.store.finalHeight()) + 1;
    await operator.deposit(2, TOKEN, 1n);
    await operator.execute();
    await told(1, 0, 0);
    await operator.store.changeBatch({ height, from: 'sealed' }, { state: 'proving' });
    await operator.store.changeBatch({ height, from: 'proving' }, { state: 'proven' });
    await told(1, 1, 0);
    await operator.store.sequence((step) => step.rewind(height));
    await told(0, 0, 0, 1);
    expect(await operator.finalize()).toBe(height);
    await told(1, 1, 1);
    expect(await client.call('rollup_unsubscribe', [progress])).toMatchObject({ result: true });
    await client.close();
  });

  it('tell of what is credited to an account, each change until it is final or taken back', async () => {
    const client = await NoticeClient.connect(operator.url);
    await operator.result('pazkp_createAccount', carol.registration());
    await operator.finalize();
    const { result: progress } = await client.call('rollup_subscribeAccountProgress', [3]);
    const { result: orders } = await client.call('rollup_subscribeReceivedMoneyOrders', [3]);
    const told = (...credits: readonly (number | null)[]) =>
      client.waitFor(() => {
        const last = client.notices(progress).at(-1) as Readonly<Record<string, unknown>> | undefined;
        const said = ['executedCredit', 'provedCredit', 'finalCredit'].map((name) => last?.[name]);
        return isDeepStrictEqual(said, credits);
      });
    const terms = { tokenId: TOKEN, minimum: 10n, untilHeight: 1_000, secret: 5n };
    await operator.result('rollup_setConsent', carol.consent(terms, 1));
    await operator.finalize();
    await told(null, null, null);
    await operator.deposit(3, TOKEN, 40n);
    await operator.execute();
    const height = (await operator.store.finalHeight()) + 1;
    const credit = totalIndex(height, 1);
    await told(credit, null, null);
    await operator.store.sequence((step) => step.rewind(height));
    await told(null, null, null);
    await operator.execute();
    await operator.store.changeBatch({ height, from: 'sealed' }, { state: 'proving' });
    await operator.store.changeBatch({ height, from: 'proving' }, { state: 'proven' });
    await told(credit, credit, null);
    await operator.store.sequence((step) => step.rewind(height));
    expect(await operator.finalize()).toBe(height);
    await told(credit, credit, credit);
    // It is no order; the next one is, and comes after all that there was before.
    await operator.deposit(3, TOKEN, 9n);
    await operator.finalize();
    await client.waitFor(({ params }) => params?.subscription === orders);
    expect(client.notices(orders)).toMatchObject([{ moneyOrder: { amount: 9 } }]);
    await client.close();
  });

  it('have a client of the library look when it must, and at once', async () => {
    const { signal } = new AbortController();
    const problems: string[] = [];
    const token = await tokenOf([2]);
    const news = new AccountNews({
      url: guarded.url,
      accountId: 2,
      clock: systemClock,
      random: Math.random,
      headers: () => ({ authorization: `Bearer ${token}` }),
      onProblem: (problem) => problems.push(problem),
    });
    // For longer than a test may last: what ends the waiting is a notice.
    const next = () => news.next(3_600_000, signal);
    await next();
    const amount = 2n ** 40n + 1n;
    await operator.deposit(2, TOKEN, amount);
    await operator.finalize();
    for (;;) {
      const { items } = await operator.result<{ items: { moneyOrder: { amount: number } }[] }>(
        'pazkp_listMoneyOrdersReceived',
        [0, 10, null, 2, null, String(amount), String(amount)],
      );
      if (items.length === 1) break;
      await next();
    }
    await news.close();
    expect(problems).toEqual([]);
  });

  it('have a client of the library that was cut off look again, so that it misses nothing', async () => {
    const relay = await startRelay(Number(new URL(operator.url).port));
    const { signal } = new AbortController();
    const problems: string[] = [];
    const news = new AccountNews({
      url: relay.url,
      accountId: 2,
      clock: systemClock,
      random: Math.random,
      onProblem: (problem) => problems.push(problem),
    });
    const amounts: unknown[] = [];
    const look = async () => {
      const { items } = await operator.result<{ items: { moneyOrder: { amount: number } }[] }>(
        'pazkp_listMoneyOrdersReceived',
        [0, 100, null, 2, null, 500, 599],
      );
      amounts.splice(0, amounts.length, ...items.map(({ moneyOrder }) => moneyOrder.amount));
    };
    for (const amount of [500, 501, 502]) {
      // Each time it is away when the order becomes final.
      await until(async () => relay.isUsed());
      relay.cut();
      await operator.deposit(2, TOKEN, BigInt(amount));
      await operator.finalize();
      relay.open();
      while (!amounts.includes(amount)) {
        await news.next(3_600_000, signal);
        await look();
      }
    }
    expect(amounts).toEqual([500, 501, 502]);
    expect(problems.length).toBeGreaterThanOrEqual(3);
    await news.close();
    await relay.close();
  });

  it('need a WebSocket, an account that exists, and a token for it', async () => {
    expect(await operator.rejection('rollup_subscribeFinalBatches')).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
    const client = await NoticeClient.connect(guarded.url, await tokenOf([2]));
    const reasonOf = async (accountId: number) =>
      (await client.call('rollup_subscribeReceivedMoneyOrders', [accountId])).error;
    expect(await reasonOf(1)).toMatchObject({
      message: 'accountId: the token is not for account 1',
      data: { reason: 'FORBIDDEN' },
    });
    expect(await reasonOf(77)).toMatchObject({ data: { reason: 'FORBIDDEN' } });
    expect(await reasonOf(2)).toBeUndefined();
    const { error: others } = await client.call('rollup_subscribeAccountProgress', [1]);
    expect(others).toMatchObject({ data: { reason: 'FORBIDDEN' } });
    await client.close();
    const open = await NoticeClient.connect(operator.url);
    for (const method of ['rollup_subscribeReceivedMoneyOrders', 'rollup_subscribeAccountProgress']) {
      const { error } = await open.call(method, [77]);
      expect(error?.data?.reason).toBe('ROLLUP_ACCOUNT_NOT_FOUND');
    }
    await open.close();
    await expect(NoticeClient.connect(guarded.url)).rejects.toThrow('401');
  });

  it('are limited for a connection, and what is ended makes room', async () => {
    const client = await NoticeClient.connect(operator.url);
    const answers = await Promise.all(
      Array.from({ length: 1_001 }, () => client.call('rollup_subscribeFinalBatches')),
    );
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.map(({ error }) => error?.data?.reason)).toEqual(['TOO_MANY_SUBSCRIPTIONS']);
    await client.call('rollup_unsubscribe', [answers[0]?.result]);
    expect((await client.call('rollup_subscribeFinalBatches')).error).toBeUndefined();
    await client.close();
  });

  it('are for a hundred connections of one organization', async () => {
    const token = await tokenOf([2]);
    const clients = await Promise.all(
      Array.from({ length: 100 }, () => NoticeClient.connect(guarded.url, token)),
    );
    await expect(NoticeClient.connect(guarded.url, token)).rejects.toThrow('429');
    await clients.pop()?.close();
    // The operator notices the end a moment after the client.
    await until(async () => {
      const again = await NoticeClient.connect(guarded.url, token).catch(() => undefined);
      if (again !== undefined) clients.push(again);
      return again !== undefined;
    });
    await Promise.all(clients.map((client) => client.close()));
  });
});
