import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');

describe('the pre-commit hook', () => {
  let folder: string;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tetrad-hook-'));
    git('init', '--quiet');
    for (const [name, value] of [
      ['user.name', 'A'],
      ['user.email', 'a@example.org'],
      ['core.hooksPath', '.githooks'],
    ])
      git('config', name as string, value as string);
    mkdirSync(join(folder, '.githooks'));
    copyFileSync(join(root, '.githooks/pre-commit'), join(folder, '.githooks/pre-commit'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const commit = () => {
    const { status, stderr } = spawnSync('git', ['commit', '--quiet', '-m', 'a: b'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  const stage = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    git('add', name);
  };

  it('refuses a file that is not formatted, by its name, and takes it once it is', () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    stage('a page.md', '#  Title\n');
    const refused = commit();
    expect(refused.stderr).toContain('a page.md');
    expect(refused.status).not.toBe(0);
    stage('a page.md', '# Title\n');
    expect(commit()).toEqual({ status: 0, stderr: '' });
  });

  it('says that a staged file was changed since', () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    stage('page.md', '# Title\n');
    writeFileSync(join(folder, 'page.md'), '# Another title\n');
    expect(commit()).toMatchObject({ status: 0, stderr: expect.stringContaining('page.md has changes') });
  });

  it('says what is missing before there are packages', () => {
    stage('page.md', '# Title\n');
    const { status, stderr } = commit();
    expect(stderr).toContain('./tetrad build test');
    expect(status).not.toBe(0);
  });
});
