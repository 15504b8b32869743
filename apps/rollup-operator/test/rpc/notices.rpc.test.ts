import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service/issue-token';
import { WebSocket } from 'ws';
import { AccountHolder } from '../account-holder.js';
import { TOKEN, compose, startOperator, type RunningOperator } from '../running-operator.js';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: { readonly reason: string } };
  readonly params?: { readonly subscription: string; readonly result: Readonly<Record<string, unknown>> };
}

/** A WebSocket client that keeps every message and can wait for one. */
class Client {
  private readonly messages: Message[] = [];
  private readonly waiting: (() => void)[] = [];
  private calls = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      for (const wake of this.waiting.splice(0)) wake();
    });
  }

  static async connect(url: string, token?: string): Promise<Client> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    await new Promise((done, fail) => socket.once('open', done).once('error', fail));
    return new Client(socket);
  }

  call(method: string, params: readonly unknown[] = []): Promise<Message> {
    const id = ++this.calls;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return this.waitFor((message) => message.id === id);
  }

  async waitFor(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(wanted);
      if (found !== undefined) return found;
      await new Promise<void>((done) => this.waiting.push(done));
    }
  }

  /** The notices of a subscription so far. */
  notices(subscription: unknown): unknown[] {
    return this.messages
      .filter(({ params }) => params?.subscription === subscription)
      .map(({ params }) => params?.result);
  }

  async close(): Promise<void> {
    this.socket.close();
    await new Promise((done) => this.socket.once('close', done));
  }
}

let folder: string;
let operator: RunningOperator;
let guarded: Awaited<ReturnType<typeof compose>>;
const tokenKey = createTokenKey();
const [alice, bob] = [1, 2].map((id) => new AccountHolder(id, 170 + id)) as [AccountHolder, AccountHolder];

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
    const client = await Client.connect(operator.url);
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
      ...{ batchHeight: height, blockNumber: final?.blockNumber, blockHash: final?.blockHash },
      batchStateRootHash: `0x${final?.roots?.state.toString(16).padStart(64, '0')}`,
    });
    expect(client.notices(batches)).toMatchObject([{ batchHeight: 2 }, { batchHeight: 3 }]);
    const listed = await operator.result<{ items: unknown[] }>('pazkp_listMoneyOrdersReceived', [
      ...[0, 10, null, 2, null, null, null],
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
    const early = await Client.connect(operator.url);
    const { result: first } = await early.call('rollup_subscribeFinalBatches');
    await operator.deposit(1, TOKEN, 1n);
    const height = await operator.finalize();
    const late = await Client.connect(operator.url);
    const { result: second } = await late.call('rollup_subscribeFinalBatches');
    await operator.deposit(1, TOKEN, 1n);
    const next = await operator.finalize();
    await Promise.all([early.waitFor(batch(next)), late.waitFor(batch(next))]);
    expect(early.notices(first)).toMatchObject([{ batchHeight: height }, { batchHeight: next }]);
    expect(late.notices(second)).toMatchObject([{ batchHeight: next }]);
    await Promise.all([early.close(), late.close()]);
  });

  it('need a WebSocket, an account that exists, and a token for it', async () => {
    expect(await operator.rejection('rollup_subscribeFinalBatches')).toBe('SUBSCRIPTIONS_NEED_WEBSOCKET');
    const client = await Client.connect(guarded.url, await tokenOf([2]));
    const reasonOf = async (accountId: number) =>
      (await client.call('rollup_subscribeReceivedMoneyOrders', [accountId])).error;
    expect(await reasonOf(1)).toMatchObject({
      ...{ message: 'accountId: the token is not for account 1', data: { reason: 'FORBIDDEN' } },
    });
    expect(await reasonOf(77)).toMatchObject({ data: { reason: 'FORBIDDEN' } });
    expect(await reasonOf(2)).toBeUndefined();
    await client.close();
    const open = await Client.connect(operator.url);
    const { error } = await open.call('rollup_subscribeReceivedMoneyOrders', [77]);
    expect(error?.data?.reason).toBe('ROLLUP_ACCOUNT_NOT_FOUND');
    await open.close();
    await expect(Client.connect(guarded.url)).rejects.toThrow('401');
  });

  it('are limited for a connection, and what is ended makes room', async () => {
    const client = await Client.connect(operator.url);
    const answers = await Promise.all(
      Array.from({ length: 1_001 }, () => client.call('rollup_subscribeFinalBatches')),
    );
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused.map(({ error }) => error?.data?.reason)).toEqual(['TOO_MANY_SUBSCRIPTIONS']);
    await client.call('rollup_unsubscribe', [answers[0]?.result]);
    expect((await client.call('rollup_subscribeFinalBatches')).error).toBeUndefined();
    await client.close();
  });
});
