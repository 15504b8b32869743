import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAIN, runTetrad } from './tetrad-process.js';

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0;

let folder: string;
let script: string;
let fishScript: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-completion-'));
  await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  script = (await runTetrad(['completion', 'bash'])).stdout;
  fishScript = (await runTetrad(['completion', 'fish'])).stdout;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What bash offers for the last word of the line. */
async function complete(...words: string[]): Promise<string[]> {
  const line = ['./tetrad', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _tetrad; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`], { cwd: folder });
  return stdout.split('\n').filter((word) => word !== '');
}

/** What fish offers for the last word of the line; it finds the completions of a program by its name. */
async function completeInFish(...words: string[]): Promise<string[]> {
  const ask = `source tetrad.fish; complete -C "./tetrad ${words.join(' ')}"`;
  await writeFile(join(folder, 'tetrad.fish'), fishScript);
  const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', ask], { cwd: folder });
  return stdout.split('\n').filter((word) => word !== '');
}

const OFFERS: [string[], string[]][] = [
  [['wal'], ['wallet']],
  [['ver'], ['verify']],
  [['up', '--perm'], ['--permissioned']],
  [['up', '--nodes', '2', '--perm'], ['--permissioned']],
  [['node', '--genesis-f'], ['--genesis-file']],
  [['rollup', 'send', '--am'], ['--amount']],
  [['rollup', 'se'], ['send']],
  [['wallet', 'li'], ['list']],
];

(isInstalled('bash') ? describe : describe.skip)('the completion of bash', () => {
  it.each(OFFERS)('offers for %j what the program has', async (words, offered) => {
    expect(await complete(...words)).toEqual(offered);
  });
});

(isInstalled('fish') ? describe : describe.skip)('the completion of fish', () => {
  it.each(OFFERS)('offers for %j what the program has', async (words, offered) => {
    expect(await completeInFish(...words)).toEqual(offered);
  });
});

it('completion knows bash, zsh and fish', async () => {
  expect((await runTetrad(['completion', 'zsh'])).stdout).toContain('bashcompinit\n_tetrad()');
  expect(fishScript).toContain('complete -c tetrad');
  expect(await runTetrad(['completion', 'csh'])).toMatchObject({ code: 2 });
});
