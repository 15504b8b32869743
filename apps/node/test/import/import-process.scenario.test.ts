import { execFile, spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { createTestDatabase, seededRandom, testSeed, type TestDatabase } from '@tetrad/testkit';
import { ImportFolder, recordedFiles } from './import-folder.js';

const MAIN = join(import.meta.dirname, '../../bundle/main.js');
const PAGE = join(import.meta.dirname, '../../../../docs/moving-in/import-chain.md');
/** How often an import is killed; `./tetrad bench crash` asks for more. */
const KILLS = Number(process.env['TETRAD_IMPORT_KILLS'] ?? 8);

/** Digests of the rows of every table. */
async function dumpOf(url: string): Promise<Record<string, string>> {
  const { pool, close } = await connectDatabase({ url });
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  const dump: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number; digest: string }>(
      `SELECT count(*) AS count, md5(string_agg(row::text, ',' ORDER BY row::text)) AS digest FROM "${name}" AS row`,
    );
    dump[name] = `${rows[0]?.count} ${rows[0]?.digest}`;
  }
  await close();
  return dump;
}

const { genesisFile, file, blocks } = recordedFiles('raft');
const LAST = blocks.length - 1;
/** Blocks from one kill to the next at most, so that kills come all along the chain. */
const STRIDE = Math.ceil((2 * LAST) / KILLS);

/** An import in a process of its own that ends, or is killed once its database has the block. */
async function importUntil(
  database: TestDatabase,
  folder: string,
  target: number,
): Promise<'ended' | 'killed'> {
  const flags = ['--data-dir', folder, '--genesis-file', genesisFile, '--log-level', 'warn'];
  const child = spawn(process.execPath, [MAIN, 'import-chain', file, ...flags, '--commit-blocks', '3'], {
    env: { ...process.env, NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: database.url },
    stdio: 'ignore',
  });
  const ended = new Promise<'ended' | 'killed'>((done) =>
    child.once('exit', (code) => done(code === null ? 'killed' : 'ended')),
  );
  const watched = await connectDatabase({ url: database.url, poolSize: 1 });
  while (child.exitCode === null && (await headOf(watched)) < target)
    await new Promise((tick) => setTimeout(tick, 2));
  child.kill('SIGKILL');
  await watched.close();
  return ended;
}

async function headOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ head: number }>('SELECT head_number AS head FROM chain');
  return rows[0]?.head ?? -1;
}

describe('an import in a process of its own', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-import-process-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(`ends in the same database when it is killed ${KILLS} times at random points`, async () => {
    const whole = await ImportFolder.create();
    await whole.import(genesisFile, [file]);
    const expected = await dumpOf(whole.databaseUrl);
    expect(expected['block']).toMatch(new RegExp(`^${blocks.length} `));
    await whole.remove();
    const random = seededRandom(testSeed());
    let kills = 0;
    // An import that ends before it is killed is compared, and the next one begins anew.
    while (kills < KILLS) {
      const database = await createTestDatabase('node');
      for (let [outcome, target] = ['killed', -1]; outcome === 'killed';) {
        target = kills < KILLS ? target + Math.floor(random() * STRIDE) : LAST + 1;
        outcome = await importUntil(database, folder, target);
        if (outcome === 'killed') kills += 1;
      }
      expect(await dumpOf(database.url)).toEqual(expected);
      await database.drop();
    }
  });

  it('ends with exit code 1 and one line at a file that is cut off', async () => {
    const database = await createTestDatabase('node');
    const cut = join(folder, 'cut.rlp');
    await writeFile(cut, Buffer.concat(blocks.slice(0, 9)).subarray(0, -1));
    const flags = ['--data-dir', folder, '--genesis-file', genesisFile];
    const ended = promisify(execFile)(process.execPath, [MAIN, 'import-chain', ...flags, cut], {
      env: { ...process.env, NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: database.url },
    });
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^tetrad node: block 8 cannot be read: .*ends within a block.*\n$/),
    });
    // Block 7 is not named by a block after it.
    const watched = await connectDatabase({ url: database.url });
    expect(await headOf(watched)).toBe(6);
    await watched.close();
    await database.drop();
  });

  it('does what the page says, command by command', async () => {
    const recorded = recordedFiles('qbft');
    const database = await createTestDatabase('node');
    copyFileSync(recorded.file, join(folder, 'blocks.rlp.gz'));
    copyFileSync(recorded.genesisFile, join(folder, 'genesis.json'));
    // The launcher runs this program for `node`; what it builds before is not the page's subject.
    await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    await chmod(join(folder, 'tetrad'), 0o755);
    const outcomes: unknown[] = [];
    for (const [, command = ''] of readFileSync(PAGE, 'utf8').matchAll(/^```sh\n([^`]*)```$/gm)) {
      const { stdout } = await promisify(execFile)('sh', ['-e', '-c', command], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '', TETRAD_NODE_DATABASE_URL: database.url },
      });
      outcomes.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    }
    const last = recorded.blocks.length - 1;
    expect(outcomes).toMatchObject([
      { complete: true, block: last, imported: last, transactions: 713 },
      { verified: true, blocks: last },
    ]);
    await database.drop();
  });
});
