import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { developmentAccounts } from '@tetrad/testkit';
import { createNodeHome, type NodeHome } from '../node-process.js';

/** Key of the node of a home. */
const KEY = Buffer.alloc(32, 0x42);
const NODE_ID = Buffer.from(publicKeyFromPrivateKey(KEY)).toString('hex');

let home: NodeHome;
beforeAll(async () => {
  home = await createNodeHome(developmentAccounts(1, 'owner'));
});
afterAll(() => home.remove());

const valueOf = (text: string, name: string) => new RegExp(`^${name} +(.*)$`, 'm').exec(text)?.[1];

describe('node enode', () => {
  it('prints address, enode URL and genesis hash; a start logs them', async () => {
    const { code, stdout } = await home.run([
      'enode',
      '--peer-listen-port',
      '31000',
      '--p2p-host',
      'a.example',
    ]);
    expect(code).toBe(0);
    const address = addressFromPrivateKey(KEY);
    expect(valueOf(stdout, 'address')).toBe(address);
    expect(valueOf(stdout, 'enode')).toBe(`enode://${NODE_ID}@a.example:31000?discport=0`);
    expect(valueOf(stdout, 'chain')).toBe('1337, rules of tetrad');
    expect(valueOf(stdout, 'engine')).toBe('qbft');

    const node = await home.start(['--log-level', 'info']);
    expect(await node.stop()).toBe(0);
    const lines = (await node.finished).stdout.split('\n').filter((line) => line.startsWith('{'));
    const identity = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(({ message }) => message === 'node identity');
    expect(identity).toMatchObject({ address, genesisHash: valueOf(stdout, 'genesis'), chainId: 1337 });
    expect(identity?.['enode']).toMatch(new RegExp(`^enode://${NODE_ID}@127\\.0\\.0\\.1:\\d+`));
  });

  it('creates a missing key, readable by its owner only, and keeps it', async () => {
    const folder = join(home.folder, 'fresh');
    const key = join(folder, 'nodekey');
    const once = await home.run(['enode', '--data-dir', folder, '--node-key-file', key]);
    expect(once).toMatchObject({ code: 1 });
    expect(once.stderr).toContain(key);
    // Not named, it is made.
    const environment = { TETRAD_NODE_DATA_DIR: folder };
    const plain = async () => home.runPlain(['enode'], environment);
    const made = await plain();
    expect(made).toMatchObject({ code: 0 });
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect(valueOf(made.stdout, 'genesis')).toBeUndefined();
    expect((await plain()).stdout).toBe(made.stdout);
    expect((await readFile(key, 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('prints the genesis hash of a file for GoQuorum, and leaves nothing behind for a bad file', async () => {
    const json = JSON.parse(await readFile(join(home.folder, 'genesis.json'), 'utf8')) as {
      config: Record<string, unknown>;
    };
    const file = join(home.folder, 'plain.json');
    await writeFile(file, JSON.stringify({ ...json, config: { ...json.config, rules: undefined } }));
    const args = ['--genesis-file', file];
    const tetrad = await home.run(['enode', ...args]);
    const goquorum = await home.run(['enode', ...args, '--genesis-rules', 'goquorum']);
    expect(valueOf(goquorum.stdout, 'chain')).toBe('1337, rules of goquorum');
    expect(valueOf(goquorum.stdout, 'genesis')).not.toBe(valueOf(tetrad.stdout, 'genesis'));

    await writeFile(file, '{');
    const folder = join(home.folder, 'untouched');
    const failed = await home.runPlain(['enode', '--data-dir', folder, ...args]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('plain.json');
    expect(existsSync(folder)).toBe(false);
  });
});
