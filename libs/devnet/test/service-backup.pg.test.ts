import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDeploy, prismaFolder } from '@tetrad/db';
import { ROOT } from '@tetrad/devnet';
import {
  createTestDatabase,
  dumpDatabase,
  openRecording,
  recordedVersions,
  type TestDatabase,
} from '@tetrad/testkit';
import { runTetrad } from './tetrad-process.js';

/** The times of migrations differ, and only the source has a record of the backup. */
const withoutRecords = (statements: string) =>
  statements.replace(/^INSERT INTO "(?:_prisma_migrations|backup_event)".*\n?/gm, '');

/** The commands of docs/operations/backup.md, of the services whose rows are backed up as they are. */
describe.each(['signer', 'wallet', 'rollup-operator'])('a backup of the %s', (service) => {
  let folder: string;
  let source: TestDatabase;
  let target: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-service-backup-'));
    const recording = { folder: join(ROOT, 'apps', service, 'vectors'), service };
    source = await openRecording(recording, recordedVersions(recording).at(-1) ?? '');
    await migrateDeploy(source.url, prismaFolder(service));
    target = await createTestDatabase(service);
  });
  afterAll(async () => {
    await source.drop();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the job of the service's image. */
  function job(words: readonly string[], url: string) {
    const variable = `TETRAD_${service.toUpperCase().replaceAll('-', '_')}_DATABASE_URL`;
    const env = { ...process.env, NODE_OPTIONS: '', [variable]: url };
    const program = join(ROOT, 'apps', service, 'bundle/db.js');
    return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
      (done) => {
        const child = execFile(process.execPath, [program, ...words], { env }, (_error, stdout, stderr) =>
          done({ code: child.exitCode ?? -1, stdout, stderr }),
        );
      },
    );
  }

  const out = () => join(folder, 'backup');
  const backUp = () => job(['backup', service, '--out', out()], source.url);
  const restore = () => job(['restore', service, '--from', out()], target.url);
  const verify = () => job(['verify', service, '--from', out()], '');

  it('has all rows, is verified, and is restored as it was', async () => {
    const made = await backUp();
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({ service, rows: expect.any(Number) });
    expect(await verify()).toEqual(made);
    // As it is typed in a clone.
    expect(await runTetrad(['db', 'verify', service, '--from', out()])).toEqual(made);
    expect(await restore()).toEqual(made);
    const [restored, backedUp] = [
      await dumpDatabase(target.url, service),
      await dumpDatabase(source.url, service),
    ];
    expect([backedUp, restored].map((text) => text.includes('INSERT INTO "backup_event"'))).toEqual([
      true,
      false,
    ]);
    expect(withoutRecords(restored)).toBe(withoutRecords(backedUp));
  });

  it('replaces nothing: neither an existing folder nor rows', async () => {
    expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  });

  it('that was changed is named by its file', async () => {
    const { tables } = JSON.parse(await readFile(join(out(), 'manifest.json'), 'utf8')) as {
      tables: { name: string }[];
    };
    const file = join(out(), `${tables[0]?.name ?? ''}.copy`);
    await appendFile(file, 'x');
    expect(await verify()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${file}: is not as it was written`),
    });
  });
});

it('the launcher finds the database of a running network, or says what is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-db-'));
  const file = join(folder, 'endpoints.json');
  await writeFile(
    file,
    JSON.stringify({ nodes: [], database: { url: 'postgresql://127.0.0.1:1/postgres' } }),
  );
  const backUp = (...words: string[]) => runTetrad(['db', 'backup', ...words]);
  const found = await backUp('signer', '--out', join(folder, 'b'), '--endpoints-file', file);
  expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1:1/tetrad_signer') });
  const other = await backUp('node', '--out', join(folder, 'b'), `--endpoints-file=${file}`);
  expect(other).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^tetrad: --endpoints-file: is for signer/),
  });
  expect(await backUp('signer', '--endpoints-file')).toMatchObject({ code: 2 });
  expect((await runTetrad(['db', '--help'])).stdout).toContain('migrate deploy SERVICE');
  await rm(folder, { recursive: true });
});

it('a node has a command of its own', async () => {
  const program = join(ROOT, 'apps/node/bundle/db.js');
  const ended = new Promise<string>((done) =>
    execFile(process.execPath, [program, 'backup', 'node', '--out', 'x'], (_error, _stdout, stderr) =>
      done(stderr),
    ),
  );
  expect(await ended).toContain('node: has a command of its own');
});
