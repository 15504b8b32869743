import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyProxy, until } from '@tetrad/testkit';
import { prefixEnd, type EtcdClient, type EtcdError } from '../src/index.js';
import { TestClients, failureOf } from './test-clients.js';
import { HAS_ETCD, TestEtcd } from './test-etcd.js';
import { Watched } from './watched.js';

const TIMEOUT_MS = 5_000;

(HAS_ETCD ? describe : describe.skip)('an etcd of three members', () => {
  const clients = new TestClients();
  let etcd: TestEtcd;
  let client: EtcdClient;

  beforeEach(async () => {
    etcd = clients.closing(await TestEtcd.start({ members: 3 }));
    client = clients.open(etcd.endpoints, { requestTimeoutMs: TIMEOUT_MS });
    await allHealthy();
  });
  afterEach(() => clients.close());

  async function allHealthy(): Promise<void> {
    await until(async () => (await client.status()).every(({ isHealthy }) => isHealthy));
  }

  async function indexOfLeader(): Promise<number> {
    for (;;) {
      const statuses = await client.status();
      const at = statuses.findIndex(
        ({ member }) => member !== undefined && member.leader === member.memberId,
      );
      if (at !== -1) return at;
    }
  }

  /** Adds `n` once, however often it is tried: who does not know what became of it looks. */
  async function append(n: number): Promise<void> {
    const key = `p/${String(n).padStart(6, '0')}`;
    const isAbsent = { key, target: 'CREATE', result: 'EQUAL', number: 0n } as const;
    const success = [{ kind: 'put', key, value: Buffer.from(String(n)) } as const];
    for (;;) {
      try {
        await client.transact({ compare: [isAbsent], success, failure: [] });
        return;
      } catch (error) {
        expect(['unknown-outcome', 'unavailable', 'no-leader']).toContain((error as EtcdError).kind);
      }
    }
  }

  it('neither loses nor repeats writes while its leaders are killed', async () => {
    const watched = Watched.open(client, { prefix: 'p/', fromRevision: 1n, quietMs: 1_000 });
    let last = 0;
    for (let round = 0; round < 3; round++) {
      for (let times = 0; times < 20; times++) await append(++last);
      const leader = await indexOfLeader();
      await etcd.kill(leader);
      for (let times = 0; times < 20; times++) await append(++last);
      etcd.startMember(leader);
      await allHealthy();
    }
    const all = Array.from({ length: last }, (_, index) => String(index + 1));
    await until(() => watched.values.length >= last);
    expect(watched.values).toEqual(all);
    const range = { key: 'p/', rangeEnd: prefixEnd('p/'), maxBytes: 1_000_000 };
    const { entries } = await clients.open(etcd.endpoints).range(range);
    expect(entries.map(({ value }) => value.toString())).toEqual(all);
    expect(watched.revisions.map(({ revision }) => revision)).toEqual(
      entries.map(({ modRevision }) => modRevision),
    );
  });

  it('continues a watch when its member stops silently', async () => {
    const watched = Watched.open(client, { prefix: 'p/', fromRevision: 1n, quietMs: 500 });
    await append(1);
    await until(() => watched.values.length === 1);
    // The first endpoint is asked as long as it works.
    etcd.signal(0, 'SIGSTOP');
    await append(2);
    await until(() => watched.values.length === 2);
    etcd.signal(0, 'SIGCONT');
    await append(3);
    await until(() => watched.values.length === 3);
    expect(watched.values).toEqual(['1', '2', '3']);
  });

  it('continues a watch when only its connection dies', async () => {
    const [, second = '', third = ''] = etcd.endpoints;
    const port = Number(new URL(second).port);
    const link = clients.closing(await FaultyProxy.open({ port: () => port }));
    const watching = clients.open([`http://127.0.0.1:${link.port}`, third], { requestTimeoutMs: TIMEOUT_MS });
    const watched = Watched.open(watching, { prefix: 'p/', fromRevision: 1n, quietMs: 500 });
    await append(1);
    await until(() => watched.values.length === 1);
    link.set({ kind: 'stall' });
    await append(2);
    await until(() => watched.values.length === 2);
    link.heal();
    await append(3);
    await until(() => watched.values.length === 3);
    expect(watched.values).toEqual(['1', '2', '3']);
  });

  it('does not answer without a majority, and goes on with one', async () => {
    await append(1);
    await etcd.kill(1);
    await etcd.kill(2);
    const read = await failureOf(client.range({ key: 'p/', maxBytes: 10_000 }));
    expect(['unavailable', 'no-leader']).toContain(read.kind);
    const key = 'p/lost';
    const success = [{ kind: 'put', key, value: Buffer.from('x') } as const];
    const written = await failureOf(client.transact({ compare: [], success, failure: [] }));
    expect(['unknown-outcome', 'unavailable']).toContain(written.kind);
    await until(async () => (await client.status()).every(({ isHealthy }) => !isHealthy));
    etcd.startMember(1);
    etcd.startMember(2);
    await allHealthy();
    await append(2);
  });
});
