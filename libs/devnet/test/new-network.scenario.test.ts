import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runTetrad } from './tetrad-process.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-new-network-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const create = (name: string, ...args: string[]) => runTetrad(['network', 'new', '--dir', at(name), ...args]);
const readJson = async (name: string) =>
  JSON.parse(await readFile(at(name), 'utf8')) as Record<string, unknown>;
const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;

describe('network new', () => {
  it('writes a folder for each node, with its secrets for its owner only', async () => {
    const hosts = ['a.example', 'a.example', 'fd00::3'];
    const { code, stdout } = await create(
      'net',
      '--consensus',
      'ibft',
      '--hosts',
      hosts.join(),
      '--permissioned',
      '--members',
      '1',
    );
    expect(code).toBe(0);
    expect((await readdir(at('net'))).sort()).toEqual([
      'genesis.json',
      'node0',
      'node1',
      'node2',
      'static-nodes.json',
    ]);
    const enodes = (await readJson('net/static-nodes.json')) as unknown as string[];
    expect(enodes.map((enode) => enode.slice(enode.indexOf('@') + 1))).toEqual([
      'a.example:21000?discport=0',
      'a.example:21001?discport=0',
      '[fd00::3]:21000?discport=0',
    ]);
    for (const enode of enodes) expect(stdout).toContain(enode);
    for (const name of [
      'nodekey',
      'keystore-password',
      'keystore/account-0',
      'manager.key',
      'manager-password',
    ])
      expect(await modeOf(`net/node1/${name}`)).toBe(0o600);
    expect(await modeOf('net/node1')).toBe(0o700);
    expect(await readJson('net/node2/genesis.json')).toEqual(await readJson('net/genesis.json'));
    const { config, alloc } = await readJson('net/genesis.json');
    expect(config).toMatchObject({ chainId: 1337, rules: 'tetrad', ibft: { blockperiodseconds: 1 } });
    // From block 0 on: otherwise the chain could never get private contracts with other privacy flags.
    expect(config).toMatchObject({ privacyEnhancementsBlock: 0, privacyPrecompileBlock: 0 });
    const manager = await readFile(at('net/node2/manager.toml'), 'utf8');
    expect(manager).toContain('peers = ["http://a.example:9180", "http://a.example:9181"]');
    expect(await readJson('net/node2/data/permissioned-nodes.json')).toEqual(enodes);
    const deployment = await readFile(at('net/node0/permissions.toml'), 'utf8');
    for (const account of Object.keys(alloc as object)) expect(deployment).toContain(account);
    const markers = [...deployment.matchAll(/^#   (node\d) (0x[0-9a-f]{40})$/gm)];
    expect(markers.map(([, name]) => name)).toEqual(['node0', 'node1', 'node2']);
    for (const [, , account] of markers) expect(stdout).toContain(account);
    expect(stdout).toMatch(/^node2 .* member$/m);
    expect(Object.keys(alloc as object)).toHaveLength(3);
    const keys = await Promise.all(['0', '1', '2'].map((index) => readFile(at(`net/node${index}/nodekey`))));
    expect(new Set(keys.map(String)).size).toBe(3);
    for (const key of keys) expect(stdout).not.toContain(String(key).trim());
  });

  it('gives nodes of a raft network raft ports, and the etcd that orders their blocks', async () => {
    const etcd = ['--consensus', 'raft', '--etcd-endpoints', 'https://etcd1:2379,https://etcd2:2379'];
    const { code } = await create('raft', ...etcd, '--validators', '3', '--no-private');
    expect(code).toBe(0);
    const enodes = (await readJson('raft/static-nodes.json')) as unknown as string[];
    expect(enodes.map((enode) => enode.slice(enode.indexOf('?')))).toEqual([
      '?discport=0&raftport=50400',
      '?discport=0&raftport=50401',
      '?discport=0&raftport=50402',
    ]);
    const { config } = await readJson('raft/genesis.json');
    expect(config).toMatchObject({ raft: true });
    const toml = await readFile(at('raft/node1/node.toml'), 'utf8');
    expect(toml).toContain('etcd-endpoints = ["https://etcd1:2379", "https://etcd2:2379"]');
  });

  it('does not touch a folder in which there is something, and leaves nothing behind when it fails', async () => {
    await mkdir(at('taken'));
    await writeFile(at('taken/file'), 'mine');
    const before = await readdir(folder);
    const refused = await create('taken');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toMatch(/taken: already exists and is not empty/);
    expect(await create('taken/file/below')).not.toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(before);
    expect(await readdir(at('taken'))).toEqual(['file']);
  });

  it('prints its usage with --help, and rejects other arguments', async () => {
    expect((await runTetrad(['network', 'new', '--help'])).stdout).toContain('--validators N');
    expect(await runTetrad(['network', 'old'])).toMatchObject({ code: 2 });
    expect((await runTetrad(['network'])).code).toBe(2);
  });
});
