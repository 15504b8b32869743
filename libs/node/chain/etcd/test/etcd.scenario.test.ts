import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { prefixEnd, type EtcdClient, type Operation } from '../src/index.js';
import { TestClients, failureOf } from './test-clients.js';
import { HAS_ETCD, TestEtcd } from './test-etcd.js';
import { Watched } from './watched.js';

const BYTES = 100_000_000;
const put = (key: string, value: string | Uint8Array): Operation => ({
  kind: 'put',
  key,
  value: Buffer.from(value),
});

(HAS_ETCD ? describe : describe.skip)('an etcd of one member', () => {
  const clients = new TestClients();
  let etcd: TestEtcd;
  let client: EtcdClient;
  let names = 0;
  /** A prefix that no other test has. */
  const prefix = () => `t${++names}/`;
  const write = async (...success: Operation[]) =>
    (await client.transact({ compare: [], success, failure: [] })).revision;
  const read = (key: string) => client.range({ key, rangeEnd: prefixEnd(key), maxBytes: BYTES });

  beforeAll(async () => {
    etcd = await TestEtcd.start({ args: ['--quota-backend-bytes=400000000'] });
    client = clients.open(etcd.endpoints);
    await until(async () => (await client.status())[0]?.isHealthy === true);
  });
  afterAll(async () => {
    await clients.close();
    await etcd.close();
  });

  it('keeps what a transaction writes', async () => {
    const p = prefix();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const first = await write(put(`${p}a`, bytes), put(`${p}b`, ''));
    const second = await write(put(`${p}b`, 'two'));
    expect(await read(p)).toEqual({
      entries: [
        {
          key: Buffer.from(`${p}a`),
          value: Buffer.from(bytes),
          version: 1n,
          lease: 0n,
          createRevision: first,
          modRevision: first,
        },
        {
          key: Buffer.from(`${p}b`),
          value: Buffer.from('two'),
          version: 2n,
          lease: 0n,
          createRevision: first,
          modRevision: second,
        },
      ],
      count: 2n,
      more: false,
      revision: second,
      clusterId: expect.any(BigInt),
    });
    expect(await client.range({ key: `${p}b`, revision: first, maxBytes: BYTES })).toMatchObject({
      entries: [{ value: Buffer.alloc(0), version: 1n }],
    });
    const some = { key: p, rangeEnd: prefixEnd(p), limit: 1, keysOnly: true, maxBytes: BYTES };
    expect(await client.range(some)).toMatchObject({
      entries: [{ value: Buffer.alloc(0) }],
      more: true,
      count: 2n,
    });
  });

  it('compares before it writes, and reports the branch', async () => {
    const p = prefix();
    const key = `${p}head`;
    const isAbsent = { key, target: 'CREATE', result: 'EQUAL', number: 0n } as const;
    const create = {
      compare: [isAbsent],
      success: [put(key, 'one')],
      failure: [{ kind: 'range', key } as const],
    };
    expect(await client.transact(create)).toMatchObject({ succeeded: true, responses: [{ kind: 'put' }] });
    const again = await client.transact(create);
    expect(again).toMatchObject({
      succeeded: false,
      responses: [{ kind: 'range', entries: [{ value: Buffer.from('one') }] }],
    });
    const [entry] = (await read(p)).entries;
    const lease = (await client.grantLease(60)).lease;
    const swap = await client.transact({
      compare: [
        { key, target: 'VALUE', result: 'EQUAL', value: Buffer.from('one') },
        { key, target: 'MOD', result: 'EQUAL', number: entry?.modRevision ?? 0n },
        { key, target: 'VERSION', result: 'LESS', number: 2n },
        { key, target: 'LEASE', result: 'NOT_EQUAL', number: lease },
        { key, target: 'CREATE', result: 'GREATER', number: 0n },
      ],
      success: [
        { kind: 'delete', key: p, rangeEnd: prefixEnd(p) },
        { kind: 'range', key },
      ],
      failure: [],
    });
    expect(swap).toMatchObject({
      succeeded: true,
      responses: [
        { kind: 'delete', deleted: 1n },
        { kind: 'range', entries: [] },
      ],
    });
    await client.revokeLease(lease);
  });

  it('deletes keys with their lease', async () => {
    const p = prefix();
    const { lease, ttlSeconds } = await client.grantLease(600);
    expect(ttlSeconds).toBe(600);
    await write({ kind: 'put', key: `${p}alive`, value: Buffer.from('me'), lease });
    expect((await read(p)).entries[0]?.lease).toBe(lease);
    expect(await client.keepAlive(lease)).toBe(600);
    await client.revokeLease(lease);
    expect((await read(p)).entries).toEqual([]);
    expect(await client.keepAlive(lease)).toBeUndefined();
    await client.revokeLease(lease);
    const late = { kind: 'put', key: `${p}alive`, value: Buffer.from('me'), lease } as const;
    const error = await failureOf(write(late));
    expect(error).toMatchObject({ kind: 'rejected', refusal: 'etcdserver: requested lease not found' });
  });

  it('names unsupported requests', async () => {
    const p = prefix();
    const many = Array.from({ length: 200 }, (_, index) => put(`${p}${index}`, 'x'));
    expect(await failureOf(write(...many))).toMatchObject({ kind: 'too-large' });
    // Two limits: of etcd's requests, and of what its gateway's peer takes.
    for (const size of [1_600_000, 3_000_000]) {
      const error = await failureOf(write(put(p, Buffer.alloc(size))));
      expect(error).toMatchObject({ kind: 'too-large', mayBeExecuted: false });
    }
    expect(await failureOf(write(put(p, '1'), put(p, '2')))).toMatchObject({
      kind: 'rejected',
      refusal: 'etcdserver: duplicate key given in txn request',
    });
    await write(put(`${p}large`, Buffer.alloc(1_000_000)));
    expect(await failureOf(client.range({ key: `${p}large`, maxBytes: 1_000_000 }))).toMatchObject({
      kind: 'too-large',
    });
    expect(await failureOf(client.range({ key: p, revision: 1n << 40n, maxBytes: BYTES }))).toMatchObject({
      kind: 'rejected',
      refusal: 'etcdserver: mvcc: required revision is a future revision',
    });
  });

  it('reports compacted revisions to readers and watches', async () => {
    const p = prefix();
    const first = await write(put(`${p}a`, '1'));
    const second = await write(put(`${p}a`, '2'));
    await client.compact(second);
    await client.compact(second);
    const error = await failureOf(client.range({ key: `${p}a`, revision: first, maxBytes: BYTES }));
    expect(error.kind).toBe('compacted');
    const watched = Watched.open(client, { prefix: p, fromRevision: first });
    await watched.watch.ended;
    expect(watched.endings).toEqual([`compacted ${second}`]);
  });

  it('delivers every revision of its prefix to a watch, whole and in order', async () => {
    const p = prefix();
    const first = await write(put(`${p}a`, '1'), put(`${p}b`, '2'), put(`${p}c`, '3'));
    const watched = Watched.open(client, { prefix: p, fromRevision: first });
    await write(put('elsewhere', 'x'));
    const second = await write({ kind: 'delete', key: p, rangeEnd: prefixEnd(p) }, put(`elsewhere`, 'y'));
    const third = await write(put(`${p}a`, '4'));
    await until(() => watched.revisions.length === 3);
    expect(watched.revisions.map(({ revision }) => revision)).toEqual([first, second, third]);
    expect(watched.values).toEqual(['1', '2', '3', `-${p}a`, `-${p}b`, `-${p}c`, '4']);
    watched.watch.close();
    await watched.watch.ended;
  });

  it('sends a watch revisions larger than its requests in fragments', async () => {
    const p = prefix();
    const from = await write(put(p, 'first'));
    for (let n = 0; n < 8; n++) await write(put(`${p}${n}`, Buffer.alloc(1_000_000, 65 + n)));
    const watched = Watched.open(client, { prefix: p, fromRevision: from });
    await until(() => watched.revisions.length === 9);
    expect(watched.values.map((value) => value.slice(0, 5))).toEqual([
      'first',
      'AAAAA',
      'BBBBB',
      'CCCCC',
      'DDDDD',
      'EEEEE',
      'FFFFF',
      'GGGGG',
      'HHHHH',
    ]);
    expect(watched.troubles).toEqual([]);
    watched.watch.close();
  });

  it('continues a watch after it was killed', async () => {
    const p = prefix();
    const from = await write(put(p, 'before'));
    const watched = Watched.open(client, { prefix: p, fromRevision: from });
    await until(() => watched.values.length === 1);
    await etcd.kill(0);
    await until(() => watched.troubles.length > 0);
    const error = await failureOf(client.range({ key: p, maxBytes: BYTES }));
    expect(error.kind).toBe('unavailable');
    etcd.startMember(0);
    await until(() =>
      write(put(p, 'after')).then(
        () => true,
        () => false,
      ),
    );
    await until(() => watched.values.includes('after'));
    await until(() => watched.troubles.at(-1) === undefined);
    expect(new Set(watched.revisions.map(({ revision }) => revision)).size).toBe(watched.revisions.length);
  });

  it('reports its status', async () => {
    const [status] = await client.status();
    expect(status).toMatchObject({ endpoint: etcd.endpoints[0], isHealthy: true, problem: undefined });
    expect(status?.member?.version).toMatch(/^3\./);
    expect(status?.member?.leader).toBe(status?.member?.memberId);
    expect(status?.member?.dbSize).toBeGreaterThan(0n);
  });
});

(HAS_ETCD ? describe : describe.skip)('an etcd that is full', () => {
  const clients = new TestClients();
  afterEach(() => clients.close());

  it('refuses writes when full, and reports it', async () => {
    const etcd = clients.closing(await TestEtcd.start({ args: ['--quota-backend-bytes=4000000'] }));
    const client = clients.open(etcd.endpoints);
    await until(async () => (await client.status())[0]?.isHealthy === true);
    const success = [put('key', Buffer.alloc(1_000_000))];
    let error: unknown;
    const fill = async () => client.transact({ compare: [], success, failure: [] });
    while (error === undefined) await fill().catch((failure: unknown) => (error = failure));
    expect(error).toMatchObject({
      kind: 'no-space',
      refusal: 'etcdserver: mvcc: database space exceeded',
      mayBeExecuted: false,
    });
    expect((await client.range({ key: 'key', maxBytes: BYTES })).revision).toBeGreaterThan(0n);
    await until(async () => (await client.status())[0]?.isHealthy === false);
  });
});

(HAS_ETCD ? describe : describe.skip)('an etcd that has forgotten', () => {
  const clients = new TestClients();
  afterEach(() => clients.close());

  it('ends its watches by name, and delivers nothing of its new history', async () => {
    const etcd = clients.closing(await TestEtcd.start());
    const client = clients.open(etcd.endpoints);
    await until(async () => (await client.status())[0]?.isHealthy === true);
    const write = (value: string) =>
      client.transact({ compare: [], success: [put('p/head', value)], failure: [] });
    await write('1');
    await etcd.kill(0);
    await etcd.saveData();
    etcd.startMember(0);
    await until(async () => (await client.status())[0]?.isHealthy === true);

    const watched = Watched.open(client, { prefix: 'p/', fromRevision: 1n });
    for (const value of ['2', '3', '4']) await write(value);
    await until(() => watched.values.length === 4);
    await etcd.kill(0);
    await etcd.loadData();
    etcd.startMember(0);
    await watched.watch.ended;
    expect(watched.endings).toEqual([
      expect.stringMatching(/etcd is at revision \d+ and was at \d+: it has older/),
    ]);
    expect(watched.values).toEqual(['1', '2', '3', '4']);
  });
});
