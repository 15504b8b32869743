import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findEtcd, lackingForEtcd } from './find-etcd.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-find-etcd-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that prints a version as etcd does. */
function install(says: string, mode = 0o755, name = 'etcd'): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\ntest "$1" = --version && echo '${says}'\n`);
  chmodSync(path, mode);
  return path;
}

describe('the etcd of a host', () => {
  it('is found in the folder that has it, with its version', async () => {
    const path = install('etcd Version: 3.5.16\nGit SHA: f20bbadd4');
    expect(await findEtcd([join(folder, 'none'), folder])).toEqual({ path, version: '3.5.16' });
  });

  it('is not found when no folder has a program of that name', async () => {
    install('etcd Version: 3.5.16', 0o644);
    expect(await findEtcd([folder, join(folder, 'none')])).toBeUndefined();
  });

  it.each(['3.3.27', '2.3.8'])('is refused by name when it is %s', async (version) => {
    const path = install(`etcd Version: ${version}`);
    await expect(findEtcd([folder])).rejects.toThrow(
      `embedded etcd: ${path} is version ${version}; 3.4 or newer is needed`,
    );
  });

  it('lacks what is missing of server and client, both by name', async () => {
    const places = 'neither on the PATH nor in /usr/bin or /usr/local/bin';
    expect(await lackingForEtcd([folder])).toContain(`etcd and etcdctl are ${places}`);
    install('etcdctl version: 3.5.16', 0o755, 'etcdctl');
    expect(await lackingForEtcd([folder])).toContain(`etcd is ${places}`);
    install('etcd Version: 3.5.16');
    expect(await lackingForEtcd([folder])).toBeUndefined();
    rmSync(join(folder, 'etcdctl'));
    expect(await lackingForEtcd([folder])).toContain(`etcdctl is ${places}`);
  });

  it('is refused when it does not report its version', async () => {
    const path = install('hello');
    await expect(findEtcd([folder])).rejects.toThrow(`embedded etcd: ${path} does not say its version`);
  });
});
