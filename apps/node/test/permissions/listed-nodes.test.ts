import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import type { Logger } from '@tetrad/types';
import { startNode, type RunningNode } from '../running-node.js';
import { keyOf, type Name } from '../validator-chain.js';
import { enodeOf, useNodes } from '../validator-network.js';

const idOf = (name: Name) => Buffer.from(publicKeyFromPrivateKey(keyOf(name))).toString('hex');
const listing = (...names: readonly Name[]) =>
  JSON.stringify(names.map((name) => `enode://${idOf(name)}@127.0.0.1:1`));
const nodes = useNodes(afterEach);

async function start(flags: readonly string[], setup: Parameters<typeof startNode>[1]): Promise<RunningNode> {
  const node = await startNode(['--peer-exchange', 'false', ...flags], setup);
  nodes.push(node);
  return node;
}

/** A node that keeps a connection with the other one. */
const follow = async (other: RunningNode, name: Name) =>
  start(['--validator', 'false', '--peers', await enodeOf(other)], { nodeKey: keyOf(name) });

async function peersOf(node: RunningNode): Promise<string[]> {
  const peers = await node.result<readonly { readonly enode: string }[]>('admin_peers');
  return peers.map(({ enode }) => enode.slice('enode://'.length, 'enode://'.length + 128)).sort();
}

const readiness = async (node: RunningNode) => (await fetch(`${node.opsUrl}/readyz`)).text();

describe('a permissioned node without contracts', () => {
  it('connects with the nodes of the file only, and follows changes of the files', async () => {
    const warnings: string[] = [];
    const logger = { ...silent(), warn: (text: string) => void warnings.push(text) };
    const files = { 'permissioned-nodes.json': listing('B', 'C'), 'disallowed-nodes.json': listing('C') };
    const node = await start(['--permissioned'], { files, logger });
    const others = [await follow(node, 'B'), await follow(node, 'C'), await follow(node, 'D')];
    await until(async () => (await peersOf(node)).length === 1);
    expect(await peersOf(node)).toEqual([idOf('B')]);
    const own = (await enodeOf(node)).slice('enode://'.length, 'enode://'.length + 128);
    for (const name of ['C', 'D'] as const) {
      const ends = (id: string) => `id=${id.slice(0, 4)}…${id.slice(-4)}`;
      await until(async () =>
        warnings.includes(`permission denied: ${ends(own)} INCOMING ${ends(idOf(name))}`),
      );
    }
    await writeFile(join(node.folder, 'permissioned-nodes.json'), listing('D'));
    await until(async () => (await peersOf(node)).join() === idOf('D'));
    await until(async () => others[0] !== undefined && (await peersOf(others[0])).length === 0);
  });

  it('connects with no node without a file, and logs when a file cannot be read', async () => {
    const node = await start(['--permissioned'], {});
    const other = await follow(node, 'B');
    await writeFile(join(node.folder, 'permissioned-nodes.json'), '[');
    await until(async () => (await readiness(node)).includes('permissioned-nodes.json'));
    expect([await peersOf(node), await peersOf(other)]).toEqual([[], []]);
    await writeFile(join(node.folder, 'permissioned-nodes.json'), listing('B'));
    await until(async () => (await peersOf(node)).length === 1);
    expect(await readiness(node)).not.toContain('permissioned-nodes.json');
  });
});

describe('a permissioned node does not start', () => {
  it('with an invalid list of nodes', async () => {
    const files = { 'disallowed-nodes.json': '{}' };
    await expect(start(['--permissioned'], { files })).rejects.toThrow('must be a JSON list of enode URLs');
  });

  it('with a permission-config.json that lacks something, in the reference’s words', async () => {
    const files = { 'permission-config.json': '{"permissionModel":"v2"}' };
    await expect(start(['--permissioned'], { files })).rejects.toThrow(
      'loading of permission-config.json failed due to no accounts given in permission-config.json. Network cannot boot up',
    );
    const node = await start([], { files });
    expect(await node.result('eth_chainId')).toBe('0x539');
  });
});

function silent(): Logger {
  const nothing = () => undefined;
  const logger: Logger = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    child: () => logger,
  };
  return logger;
}
