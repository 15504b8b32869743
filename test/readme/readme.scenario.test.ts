import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tetrad-readme-'));
const env = { ...process.env, NODE_OPTIONS: '' };

/** The commands in the README's shell blocks. */
const commands = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```sh\n([^`]*)```$/gm)].flatMap(
  ([, block]) => (block as string).trim().split('\n'),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the commands of the README', () => {
  // `up` is run by libs/devnet/test/up.scenario.test.ts, which does not need the host for itself.
  it('are the one that another test runs, the one that is run here, and the suite', () => {
    expect(commands).toEqual([
      './tetrad up --endpoints-file endpoints.json',
      './tetrad demo',
      './tetrad test',
    ]);
  });

  it('./tetrad demo exits 0 and reports that every step held', () => {
    const run = spawnSync(join(root, 'tetrad'), ['demo'], { cwd: folder, env, encoding: 'utf8' });
    expect({ status: run.status, errors: run.status === 0 ? '' : run.stderr }).toEqual({
      status: 0,
      errors: '',
    });
    expect(run.stdout).toMatch(/All \d+ steps held/);
    expect(run.stdout).toMatch(
      /a holder's overdue request froze the contract after batch \d+, and all holders left with their 4500 and 2500 units/,
    );
  }, 900_000);
});
