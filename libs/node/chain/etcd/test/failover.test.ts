import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, until } from '@tetrad/testkit';
import type { Transaction } from '../src/index.js';
import { FakeGateway, HEADER, answers, breaks, noKeys, refuses, stalls, type Play } from './fake-gateway.js';
import { ManualClock } from './manual-clock.js';
import { TestClients, failureOf } from './test-clients.js';

const clients = new TestClients();
afterEach(() => clients.close());

const gateway = async (play: Play) => clients.closing(await FakeGateway.open(play));
const KEY = { key: 'key', maxBytes: 10_000 };
const TRANSACTION: Transaction = {
  compare: [],
  success: [{ kind: 'put', key: 'key', value: Buffer.from('value') }],
  failure: [],
};
const done = answers({ header: HEADER, succeeded: true, responses: [{ response_put: {} }] });
const busy = refuses('etcdserver: request timed out', 14, 503);

describe('reading with several endpoints', () => {
  it('stays with the one that works', async () => {
    const [first, second] = [await gateway(noKeys), await gateway(noKeys)];
    const client = clients.open([first.url, second.url]);
    for (let times = 0; times < 5; times++) await client.range(KEY);
    expect([first.requests.length, second.requests.length]).toEqual([5, 0]);
  });

  it.each<[string, Play]>([
    ['breaks the connection', breaks],
    ['is unavailable', busy],
    ['knows of no leader', refuses('etcdserver: no leader', 14, 503)],
    ['answers garbage', answers('<html>')],
    ['is a proxy without a server', answers('Bad Gateway', 502)],
    ['is a learner', refuses('etcdserver: rpc not supported for learner', 14, 503)],
  ])('goes to the next when one %s, and asks that one first from then on', async (_, play) => {
    const [first, second] = [await gateway(play), await gateway(noKeys)];
    const client = clients.open([first.url, second.url]);
    expect(await client.range(KEY)).toMatchObject({ entries: [], revision: 9n, clusterId: 77n });
    await client.range(KEY);
    expect([first.requests.length, second.requests.length]).toEqual([1, 2]);
  });

  it('goes to the next when no server listens', async () => {
    const second = await gateway(noKeys);
    const client = clients.open([`http://127.0.0.1:${await freePort()}`, second.url]);
    expect((await client.range(KEY)).revision).toBe(9n);
  });

  it('leaves time for the next when one does not answer', async () => {
    const [first, second] = [await gateway(stalls), await gateway(noKeys)];
    const clock = new ManualClock();
    const client = clients.open([first.url, second.url], { clock });
    const read = client.range(KEY);
    await until(() => first.requests.length === 1);
    clock.advance(30_000);
    expect((await read).revision).toBe(9n);
  });

  it('asks each once when none works, and reports the problem of each', async () => {
    const [first, second] = [await gateway(breaks), await gateway(busy)];
    const client = clients.open([first.url, second.url]);
    const error = await failureOf(client.range(KEY));
    expect(error.kind).toBe('unavailable');
    expect(error.message).toContain(`${first.url}: `);
    expect(error.message).toContain(`${second.url}: etcdserver: request timed out`);
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('reports a missing leader when one endpoint does', async () => {
    const [first, second] = [await gateway(breaks), await gateway(refuses('etcdserver: no leader', 14, 503))];
    const error = await failureOf(clients.open([first.url, second.url]).range(KEY));
    expect(error.kind).toBe('no-leader');
  });

  it('asks resting endpoints when no other is left', async () => {
    const only = await gateway(breaks);
    const client = clients.open([only.url]);
    for (let times = 0; times < 5; times++) await failureOf(client.range(KEY));
    only.plays(noKeys);
    expect((await client.range(KEY)).revision).toBe(9n);
  });

  it('does not repeat at others a request that etcd itself refuses', async () => {
    const text = 'etcdserver: mvcc: required revision has been compacted';
    const [first, second] = [await gateway(refuses(text, 11, 400)), await gateway(noKeys)];
    const client = clients.open([first.url, second.url]);
    const error = await failureOf(client.range({ ...KEY, revision: 2n }));
    expect(error).toMatchObject({ kind: 'compacted', refusal: text, mayBeExecuted: false });
    expect(second.requests).toHaveLength(0);
  });
});

describe('a transaction', () => {
  it('goes to the next when no server listens', async () => {
    const second = await gateway(done);
    const client = clients.open([`http://127.0.0.1:${await freePort()}`, second.url]);
    expect(await client.transact(TRANSACTION)).toEqual({
      succeeded: true,
      revision: 9n,
      responses: [{ kind: 'put' }],
    });
  });

  it.each<[string, Play]>([
    ['the connection breaks', breaks],
    ['etcd times out', busy],
    ['the leader changes', refuses('etcdserver: leader changed', 14, 503)],
    ['a proxy times out', answers('Gateway Timeout', 504)],
    ['the answer is garbage', answers('{"header"')],
    ['the answer is of other operations', answers({ header: HEADER, succeeded: true })],
    ['no answer comes', stalls],
  ])('has an unknown outcome when %s, and is not sent again', async (_, play) => {
    const [first, second] = [await gateway(play), await gateway(done)];
    const clock = new ManualClock();
    const client = clients.open([first.url, second.url], { clock });
    const failure = failureOf(client.transact(TRANSACTION));
    await until(() => first.requests.length === 1);
    if (play === stalls) clock.advance(60_000);
    const error = await failure;
    expect(error).toMatchObject({ kind: 'unknown-outcome', mayBeExecuted: true });
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  });

  it.each([
    ['etcdserver: mvcc: database space exceeded', 8, 429, 'no-space'],
    ['etcdserver: request is too large', 3, 400, 'too-large'],
    ['grpc: received message larger than max (3000010 vs. 2097152)', 8, 429, 'too-large'],
    ['etcdserver: too many operations in txn request', 3, 400, 'too-large'],
    ['etcdserver: permission denied', 7, 403, 'denied'],
    ['etcdserver: duplicate key given in txn request', 3, 400, 'rejected'],
    ['etcdserver: requested lease not found', 5, 404, 'rejected'],
  ])('that is refused with "%s" was not executed', async (text, code, status, kind) => {
    const [first, second] = [await gateway(refuses(text, code, status)), await gateway(done)];
    const error = await failureOf(clients.open([first.url, second.url]).transact(TRANSACTION));
    expect(error).toMatchObject({ kind, refusal: text, mayBeExecuted: false });
    expect(second.requests).toHaveLength(0);
  });

  it.each([
    ['etcdserver: rpc not supported for learner', 14, 503],
    ['etcdserver: too many requests', 8, 429],
  ])('goes to the next when it is turned away with "%s"', async (text, code, status) => {
    const [first, second] = [await gateway(refuses(text, code, status)), await gateway(done)];
    expect((await clients.open([first.url, second.url]).transact(TRANSACTION)).succeeded).toBe(true);
    expect(second.requests).toHaveLength(1);
  });
});

describe('a client that is closed', () => {
  it('aborts running requests and refuses new ones', async () => {
    const slow = await gateway(stalls);
    const client = clients.open([slow.url]);
    const reading = failureOf(client.range(KEY));
    const writing = failureOf(client.transact(TRANSACTION));
    await until(() => slow.requests.length === 2);
    await client.close();
    expect((await reading).kind).toBe('unavailable');
    expect((await writing).kind).toBe('unknown-outcome');
    expect((await failureOf(client.range(KEY))).message).toBe('the client of etcd is closed');
  });
});
