import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@tetrad/db';
import { startEmbeddedPostgres } from '@tetrad/embedded-postgres';
import { serviceMain } from '@tetrad/devnet';
import { freePorts, isServiceReady, startChildService, until, type ChildService } from '@tetrad/testkit';
import { postJson } from './http-post.js';
import { rawPair } from './raw-manager.js';

export interface BenchManagers {
  /** URL of the first manager's database. */
  readonly databaseUrl: string;
  /**
   * Sends a payload from the first manager to the two others.
   * @throws Error when it is refused
   */
  send(payload: string): Promise<void>;
  stop(): Promise<void>;
}

/** Three managers in processes of their own, each with a key and a database. */
export async function startManagers(): Promise<BenchManagers> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-manager-'));
  const first = await freePorts(9);
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
  const urls = [];
  for (const name of ['first', 'second', 'third'])
    urls.push(await createDatabase(server.url('postgres'), name));
  const started = await Promise.all(urls.map((url, index) => startOne(folder, index, { first, url })));
  const recipients = started.slice(1).map(({ publicKey }) => publicKey);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const send = async (payload: string) => {
    await postJson(`http://127.0.0.1:${first}/send`, { payload, to: recipients }, agent);
  };
  await until(() =>
    send('AAAA').then(
      () => true,
      () => false,
    ),
  );
  return {
    send,
    databaseUrl: urls[0] ?? '',
    async stop() {
      agent.destroy();
      for (const { child } of started) await child.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startOne(
  folder: string,
  index: number,
  { first, url }: { readonly first: number; readonly url: string },
) {
  const { publicKey, privateKey } = rawPair();
  const keyFile = join(folder, `${index}.key`);
  const data = { bytes: privateKey.toString('base64') };
  await writeFile(keyFile, JSON.stringify({ type: 'unlocked', data }), { mode: 0o600 });
  const [client, ops, peer] = [first + 3 * index, first + 3 * index + 1, first + 3 * index + 2];
  const options = {
    'key-files': keyFile,
    'http-listen-port': client,
    'ops-listen-port': ops,
    'peer-listen-port': peer,
    'peer-interval': '1s',
    'log-level': 'error',
    ...(index === 0 ? {} : { peers: `http://127.0.0.1:${first + 2}` }),
  };
  const child: ChildService = await startChildService({
    name: `manager ${index}`,
    command: process.execPath,
    logFile: join(folder, `${index}.log`),
    args: [
      serviceMain('transaction-manager'),
      'serve',
      '--migrate',
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    environment: { TETRAD_TRANSACTION_MANAGER_DATABASE_URL: url },
    isReady: (pid) => isServiceReady(`http://127.0.0.1:${ops}`, pid),
  });
  return { child, publicKey: publicKey.toString('base64') };
}
