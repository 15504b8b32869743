import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { TestClients, failureOf } from './test-clients.js';
import { HAS_ETCD, TestEtcd } from './test-etcd.js';

const PAGE = join(import.meta.dirname, '../../../../../docs/how-to/raft.md');

const hasClient = spawnSync('etcdctl', ['version']).error === undefined;
if (!hasClient)
  process.stderr.write('SKIPPED: etcdctl is not installed (Debian: apt-get install etcd-client)\n');

/** The shell block of the page that has the words. */
function blockWith(words: string): string {
  const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```sh\n([^`]*)```$/gm)];
  const block = blocks.map(([, text]) => text ?? '').find((text) => text.includes(words));
  if (block === undefined) throw new Error(`docs/how-to/raft.md has no block with ${words}`);
  return block;
}

(HAS_ETCD && hasClient ? describe : describe.skip)('the user that docs/how-to/raft.md makes', () => {
  const clients = new TestClients();
  afterEach(() => clients.close());

  it('reads and writes the keys of its chain, and nothing else', async () => {
    const etcd = clients.closing(await TestEtcd.start());
    const [endpoint = ''] = etcd.endpoints;
    const env = { PATH: process.env['PATH'], ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: endpoint };
    await promisify(execFile)('sh', ['-e', '-c', blockWith('role grant-permission')], { env });
    const client = clients.open(etcd.endpoints, { credentials: { user: 'ledger', password: 'PASSWORD' } });
    const write = (key: string) =>
      client.transact({
        compare: [],
        success: [{ kind: 'put', key, value: Buffer.from('value') }],
        failure: [],
      });
    await write('/tetrad/1337/a');
    expect((await failureOf(write('/tetrad/13370/a'))).kind).toBe('denied');
    expect((await failureOf(write('/tetrad/1338/a'))).kind).toBe('denied');
  });
});
