import { existsSync } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { connectDatabase, createDatabase, readBackupEvents } from '@tetrad/db';
import { callRpc, eventually, sendMarked, sendPrivately } from '@tetrad/devnet';
import { loadToken } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { runTetrad } from '../tetrad-process.js';
import type { ThreeNodes } from './three-nodes.js';

const RECIPIENT = `0x${'7e'.repeat(20)}`;
const TRANSFERS = 3;

let nodes: ThreeNodes;
let token: string;
let balanceCall: string;

/** A private contract of both nodes, with transfers of both kinds. */
async function makePrivateTraffic(): Promise<void> {
  const wallet = new Wallet(nodes.network.endpoints.funded[0]?.privateKey ?? '');
  const request = { wallet, through: nodes.nodeAt(0), privateFor: [nodes.nodeAt(1).ptmKey] };
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
  await sendPrivately({ ...request, nonce: 0, data });
  token = getCreateAddress({ from: wallet.address, nonce: 0 });
  const { interface: calls } = new Contract(token, [...abi]);
  balanceCall = calls.encodeFunctionData('balanceOf', [RECIPIENT]);
  const transfer = { ...request, to: token, data: calls.encodeFunctionData('transfer', [RECIPIENT, 1n]) };
  for (let nonce = 1; nonce < TRANSFERS; nonce++) await sendPrivately({ ...transfer, nonce });
  await sendMarked({ ...transfer, nonce: TRANSFERS }, nodes.network.endpoints.chainId);
  await eventually(
    'the transfers are not executed',
    async () => (await balanceOn(nodes.nodeAt(0).rpc)) === TRANSFERS,
  );
}

async function balanceOn(url: string): Promise<number> {
  const answer = await callRpc(url, 'eth_call', [{ to: token, data: balanceCall }, 'latest']);
  return answer === '0x' ? 0 : Number(answer);
}

/** @returns what the command printed of the node's part */
async function backUp(name: string): Promise<{ out: string; height: number; privateStateRoot: string }> {
  const out = join(nodes.folder, name);
  const { code, stdout, stderr } = await runTetrad([
    'backup',
    '--out',
    out,
    '--endpoints-file',
    nodes.endpointsFile,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  const line = stdout.split('\n').find((one) => one.startsWith('chain and private state')) ?? '';
  return {
    out,
    ...(JSON.parse(line.slice(line.indexOf('{'))) as { height: number; privateStateRoot: string }),
  };
}

/** Backups, restorations and verifications of the first node, which runs again after them. */
export function testBackups(network: () => ThreeNodes): void {
  beforeAll(async () => {
    nodes = network();
    await makePrivateTraffic();
  });

  it('restored elsewhere has the private root of its peer, and continues from there', async () => {
    const { out, height, privateStateRoot } = await backUp('backup');
    expect(await nodes.rootOn(1, height)).toBe(privateStateRoot);
    expect((await readdir(out)).sort()).toEqual(['node', 'payloads']);
    const databases = {
      node: nodes.databaseUrl('restored_node'),
      manager: nodes.databaseUrl('restored_manager'),
    };
    await createDatabase(nodes.network.endpoints.database.url, 'restored_node');
    await createDatabase(nodes.network.endpoints.database.url, 'restored_manager');
    const environment = {
      TETRAD_NODE_DATABASE_URL: databases.node,
      TETRAD_TRANSACTION_MANAGER_DATABASE_URL: databases.manager,
    };
    expect((await runTetrad(['restore', '--from', out], environment)).code).toBe(0);
    const again = await runTetrad(['restore', '--from', out], environment);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('the database is not empty');
    // In place of the first node, with its keys and in front of its manager.
    await nodes.network.nodes[0]?.stop();
    const restored = await nodes.startRestored(environment);
    try {
      const url = nodes.nodeAt(0).rpc;
      expect(await nodes.rootOn(0, height)).toBe(privateStateRoot);
      expect(await balanceOn(url)).toBe(TRANSFERS);
      await eventually('the chain does not go on', async () => {
        return Number(await callRpc(url, 'eth_blockNumber', [])) > height + 2;
      });
    } finally {
      await restored.stop();
      await nodes.network.nodes[0]?.start();
    }
  }, 600_000);

  it('verifies by executing all of it again, and not when it is another one', async () => {
    const { out, height, privateStateRoot } = await backUp('verified');
    const keys = join(nodes.folder, 'network', 'node0', 'manager.key');
    const words = [
      'verify',
      '--from',
      out,
      '--genesis-file',
      join(nodes.folder, 'network', 'genesis.json'),
      '--key-files',
      keys,
      '--key-password-file',
      join(nodes.folder, 'network', 'password'),
    ];
    const recording = ['--record', 'true', '--endpoints-file', nodes.endpointsFile];
    const verified = await runTetrad([...words, ...recording]);
    expect(verified.stderr).toBe('');
    expect(JSON.parse(verified.stdout.trim().split('\n').pop() ?? '')).toMatchObject({
      verified: true,
      blocks: height,
      privateStateRoot,
    });
    for (const name of ['tetrad_node0', 'tetrad_manager0'])
      expect(await eventKinds(name)).toEqual(['backup', 'verification']);
    await appendFile(join(out, 'node', 'block.copy'), 'x');
    const refused = await runTetrad(words);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('block.copy: is not as it was written');
  }, 600_000);

  it('overwrites nothing, and names an invalid option', async () => {
    const taken = await runTetrad(['backup', '--out', nodes.folder, '--endpoints-file', nodes.endpointsFile]);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('a backup overwrites nothing') });
    const other = [
      'backup',
      '--out',
      join(nodes.folder, 'new'),
      '--endpoints-file',
      nodes.endpointsFile,
      '--node',
      'node7',
    ];
    expect(await runTetrad(other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--node: node7'),
    });
    for (const [words, text] of [
      [['backup'], '--out is required'],
      [['backup', '--out', 'x', '--out', 'y'], '--out: given twice'],
      [['restore', '--from', nodes.folder, '--part', 'half'], '--part: half is neither node nor payloads'],
      [['verify', '--from', nodes.folder], '--genesis-file is required'],
    ] as const)
      expect(await runTetrad([...words])).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
    expect(existsSync(join(nodes.folder, 'new'))).toBe(false);
  }, 600_000);
}

/** What is recorded of backups in a database of the network. */
async function eventKinds(name: string): Promise<string[]> {
  const database = await connectDatabase({ url: nodes.databaseUrl(name), poolSize: 1 });
  try {
    return [...(await readBackupEvents(database.pool)).keys()].sort();
  } finally {
    await database.close();
  }
}
