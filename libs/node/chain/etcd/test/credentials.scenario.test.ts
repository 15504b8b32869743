import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { prefixEnd, type Operation } from '../src/index.js';
import { RecordedLog } from './recorded-log.js';
import { TestClients, failureOf } from './test-clients.js';
import { HAS_ETCD, TestEtcd } from './test-etcd.js';
import { Watched } from './watched.js';

const USER = { user: 'node', password: 'node-password' };
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const put = (key: string): Operation => ({ kind: 'put', key, value: Buffer.from('value') });
const writing = (key: string) => ({ compare: [], success: [put(key)], failure: [] });

(HAS_ETCD ? describe : describe.skip)('an etcd that asks who one is', () => {
  const clients = new TestClients();
  let etcd: TestEtcd;

  beforeEach(async () => {
    etcd = clients.closing(await TestEtcd.start());
    const role = 'chain';
    const perm = { permType: 'READWRITE', key: base64('p/'), range_end: base64(prefixEnd('p/')) };
    await etcd.post('auth/user/add', { name: 'root', password: 'root-password' });
    await etcd.post('auth/role/add', { name: 'root' });
    await etcd.post('auth/user/grant', { user: 'root', role: 'root' });
    await etcd.post('auth/role/add', { name: role });
    await etcd.post('auth/role/grant', { name: role, perm });
    await etcd.post('auth/user/add', { name: USER.user, password: USER.password });
    await etcd.post('auth/user/grant', { user: USER.user, role });
    await etcd.post('auth/enable', {});
  });
  afterEach(() => clients.close());

  it('serves its users what they may read, and refuses other clients', async () => {
    const client = clients.open(etcd.endpoints, { credentials: USER });
    const { revision } = await client.transact(writing('p/a'));
    expect((await client.range({ key: 'p/a', maxBytes: 10_000 })).entries).toHaveLength(1);
    const watched = Watched.open(client, { prefix: 'p/', fromRevision: revision });
    await until(() => watched.values.length === 1);

    expect(await failureOf(client.transact(writing('q/a')))).toMatchObject({
      kind: 'denied',
      refusal: 'etcdserver: permission denied',
      mayBeExecuted: false,
    });
    const forbidden = Watched.open(client, { prefix: 'q/', fromRevision: revision });
    await until(() => forbidden.troubles.length > 0);
    expect(forbidden.troubles[0]).toContain('permission denied');

    const anonymous = clients.open(etcd.endpoints);
    expect((await failureOf(anonymous.range({ key: 'p/a', maxBytes: 10_000 }))).kind).toBe('denied');
    const wrong = clients.open(etcd.endpoints, { credentials: { ...USER, password: 'guess' } });
    expect((await failureOf(wrong.transact(writing('p/a')))).kind).toBe('denied');
  });

  it('forgets tokens when it restarts, which callers do not notice', async () => {
    const logger = new RecordedLog();
    const client = clients.open(etcd.endpoints, { credentials: USER, logger });
    const { revision } = await client.transact(writing('p/a'));
    const watched = Watched.open(client, { prefix: 'p/', fromRevision: revision });
    await until(() => watched.values.length === 1);
    await etcd.kill(0);
    etcd.startMember(0);
    await until(() =>
      client.transact(writing('p/b')).then(
        () => true,
        () => false,
      ),
    );
    await until(() => watched.values.length >= 2);
    await until(() => watched.troubles.at(-1) === undefined);
    const revisions = watched.revisions.map((one) => one.revision);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => Number(a - b)));
    expect(logger.lines.join('\n')).not.toContain(USER.password);
  });
});
