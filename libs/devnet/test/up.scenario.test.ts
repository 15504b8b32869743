import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, type Endpoints } from '@tetrad/devnet';
import { startChildService, type ChildService } from '@tetrad/testkit';
import { MAIN } from './tetrad-process.js';

let folder: string;
let endpointsFile: string;
let running: ChildService | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-up-'));
  endpointsFile = join(folder, 'endpoints.json');
});
afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the network in the folder, and waits for its endpoints file. */
async function up(base: number): Promise<{ child: ChildService; endpoints: Endpoints }> {
  const options = ['--data-dir', join(folder, 'data'), '--port-base', String(base), '--block-period', '200'];
  const child = await startChildService({
    name: 'up',
    command: process.execPath,
    args: [MAIN, 'up', ...options, '--endpoints-file', endpointsFile],
    environment: { NODE_OPTIONS: '' },
    logFile: join(folder, 'up.log'),
    isReady: async () => existsSync(endpointsFile),
  });
  running = child;
  return { child, endpoints: JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints };
}

async function call(url: string, method: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  });
  return ((await response.json()) as { result?: unknown }).result;
}

async function headAtLeast(url: string, height: number): Promise<number> {
  for (;;) {
    const head = Number(await call(url, 'eth_blockNumber'));
    if (head >= height) return head;
    await new Promise((tick) => setTimeout(tick, 50));
  }
}

async function interrupt(child: ChildService): Promise<number | null> {
  process.kill(child.pid, 'SIGINT');
  return child.exited;
}

describe('./tetrad up', () => {
  it('says where everything is, stops at Ctrl-C, and goes on where it stopped', async () => {
    const base = await freePorts(4 * PORTS_PER_NODE);
    const first = await up(base);
    const [node] = first.endpoints.nodes;
    const { signer, chainId } = first.endpoints;
    expect((await stat(endpointsFile)).mode & 0o777).toBe(0o600);
    expect(node).toMatchObject({ rpc: `http://127.0.0.1:${base}`, ws: `ws://127.0.0.1:${base}` });
    const url = node?.rpc as string;
    expect(Number(await call(url, 'eth_chainId'))).toBe(chainId);
    expect(await call(url, 'eth_accounts')).toEqual(node?.accounts);
    expect(await call(signer?.rpc as string, 'eth_accounts')).toEqual([signer?.address]);
    const { wallet } = first.endpoints;
    expect(wallet).toMatchObject({ rpc: `http://127.0.0.1:${base + 5}`, path: '/rpc/v1/coin' });
    expect(await call(`${wallet?.rpc}${wallet?.path}`, 'Coin.WalletList')).toEqual([]);
    const head = await headAtLeast(url, 3);
    expect(await interrupt(first.child)).toBe(0);
    await expect(call(url, 'eth_blockNumber')).rejects.toThrow('fetch failed');

    await rm(endpointsFile);
    const second = await up(base);
    expect(second.endpoints.signer?.address).toBe(signer?.address);
    expect(Number(await call(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(head);
    await headAtLeast(url, head + 2);
    expect(await interrupt(second.child)).toBe(0);
  }, 900_000);
});
