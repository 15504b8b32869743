import { execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@tetrad/db';
import { freePorts, until } from '@tetrad/testkit';

const ROOT = join(import.meta.dirname, '../../../..');
const PAGE = join(ROOT, 'docs/operations/postgresql.md');
const PROGRAMS = findPrograms();

/** Folder of the newest PostgreSQL of Debian's packages, which has pg_basebackup, unlike the embedded one. */
function findPrograms(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  const folder = `/usr/lib/postgresql/${newest}/bin`;
  if (newest !== undefined && existsSync(join(folder, 'pg_basebackup'))) return folder;
  process.stderr.write(
    'SKIPPED docs/operations/postgresql.md: no pg_basebackup (Debian: apt-get install postgresql)\n',
  );
  return undefined;
}

interface Block {
  readonly language: 'sh' | 'sql';
  readonly text: string;
}

/** The blocks of the page that are executed, in order. */
const blocks: readonly Block[] = [...readFileSync(PAGE, 'utf8').matchAll(/^```(sh|sql)\n([^`]*)```$/gm)].map(
  ([, language, text]) => ({ language: language as Block['language'], text: text ?? '' }),
);

let folder: string;
let account: { readonly uid: number; readonly gid: number } | undefined;
let ports: { readonly primary: number; readonly standby: number };

beforeAll(async () => {
  if (PROGRAMS === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'tetrad-postgresql-page-'));
  account = serverAccount();
  const first = await freePorts(2);
  ports = { primary: first, standby: first + 1 };
  mkdirSync(join(folder, 'bundle'));
  writeFileSync(join(folder, 'bundle/db.js'), `import '${join(ROOT, 'libs/db/dist/main.js')}';\n`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'owner-password'), 'owner-password\n');
  writeFileSync(join(folder, 'passwords'), '*:*:*:replicator:replicator-password\n', { mode: 0o600 });
  if (account !== undefined)
    for (const path of [folder, join(folder, 'passwords')]) chownSync(path, account.uid, account.gid);
  await asServer('initdb --pgdata=primary --username=admin --auth=scram-sha-256 --pwfile=owner-password');
  const options = `-p ${ports.primary} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  await asServer(`pg_ctl --pgdata=primary --options='${options}' --log=primary.log --wait start`);
});
afterAll(async () => {
  if (PROGRAMS === undefined) return;
  for (const data of ['standby', 'primary'])
    await asServer(`pg_ctl --pgdata=${data} --mode=immediate --wait stop`).catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

/** PostgreSQL does not run as root; its Debian packages make this account. */
function serverAccount(): typeof account {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const environment = () => ({
  PATH: `${PROGRAMS}:${process.env['PATH']}`,
  PGPASSFILE: join(folder, 'passwords'),
  LC_ALL: 'C',
  PRIMARY: `127.0.0.1:${ports.primary}`,
  PRIMARY_HOST: '127.0.0.1',
  PRIMARY_PORT: String(ports.primary),
  STANDBY_DATA: join(folder, 'standby'),
  STANDBY_PORT: String(ports.standby),
});

const asServer = (text: string) => shell(text, account ?? {});

function shell(text: string, as: object): Promise<string> {
  const options = { cwd: folder, env: environment(), ...as };
  const child = spawn('sh', ['-eu', '-c', text], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done(output) : fail(new Error(`${text}\n${output}`))));
  });
}

/**
 * Runs each statement of the block on the primary.
 * @returns rows of the last
 */
async function query(text: string): Promise<readonly object[]> {
  const url = `postgresql://admin:owner-password@127.0.0.1:${ports.primary}/postgres`;
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    let rows: readonly object[] = [];
    for (const statement of text.split(';').filter((one) => one.trim() !== ''))
      ({ rows } = await database.pool.query<object>(statement));
    return rows;
  } finally {
    await database.close();
  }
}

const at = (index: number) => blocks[index] as Block;

(PROGRAMS === undefined ? describe.skip : describe)('the page about PostgreSQL', () => {
  it('has the blocks that the following tests execute', () => {
    expect(blocks.map(({ language }) => language)).toEqual(['sql', 'sh', 'sql', 'sh', 'sql', 'sh', 'sql']);
  });

  it('makes the roles, and migrates as one of them', async () => {
    await query(at(0).text);
    expect(await shell(at(1).text, {})).toMatch(/^applied: .*\ngranted to node_service\n$/);
  });

  it('sets up a synchronous standby', async () => {
    await query(at(2).text);
    await asServer(at(3).text);
    let rows: readonly object[] = [];
    await until(async () => {
      rows = await query(at(4).text);
      return JSON.stringify(rows).includes('"sync"');
    });
    expect(rows).toEqual([{ application_name: 'standby1', state: 'streaming', sync_state: 'sync' }]);
  });

  it('gives settings that the server accepts', async () => {
    await query(at(6).text);
    await query('SELECT pg_reload_conf()');
    const pending = 'SELECT DISTINCT name FROM pg_file_settings WHERE error IS NOT NULL';
    // The only one that needs a restart.
    expect(await query(pending)).toEqual([{ name: 'max_connections' }]);
  });

  it('promotes the standby, which the URL with both hosts then means', async () => {
    const url = `postgresql://node_service:service-password@127.0.0.1:${ports.primary},127.0.0.1:${ports.standby}/node`;
    const database = await connectDatabase({ url, poolSize: 1 });
    await asServer('pg_ctl --pgdata=primary --mode=immediate --wait stop');
    await asServer(at(5).text);
    const port = async () =>
      (await database.pool.query<{ port: number }>('SELECT inet_server_port() AS port')).rows[0]?.port;
    await until(async () => (await port().catch(() => undefined)) === ports.standby);
    await database.close();
  });
});
