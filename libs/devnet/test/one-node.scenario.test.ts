import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, type Endpoints } from '@tetrad/devnet';
import { isRunning, until } from '@tetrad/testkit';
import { startUp, untilReady, type Up } from './up-process.js';

let folder: string;
let base: number;
const started: Up[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-one-node-'));
  base = await freePorts(2 * PORTS_PER_NODE);
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const endpointsFile = () => join(folder, 'endpoints.json');

/** Starts a network of one node on the folder; `data` names another one. */
function up(data = 'data', ...further: string[]): Up {
  const services = further.includes('--services') ? [] : ['--services', 'node'];
  const options = ['--nodes', '1', ...services, '--port-base', String(base), '--block-period', '200'];
  const files = ['--data-dir', join(folder, data), '--endpoints-file', endpointsFile()];
  const one = startUp([...options, ...files, ...further]);
  started.push(one);
  return one;
}

const ready = (one: Up): Promise<Endpoints> => untilReady(one, endpointsFile());

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

async function ask(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  return (await (await fetch(url, { method: 'POST', headers, body })).json()) as Answer;
}

function run(line: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((done) => child.once('close', () => done(text)));
}

describe('./tetrad up', () => {
  it('prints its progress from the start, and at the end its addresses and a first request', async () => {
    const one = up();
    await until(() => one.said().includes(`starting a network of 1 validators (qbft) in ${folder}/data\n`));
    const { nodes, funded } = await ready(one);
    expect(one.said()).toMatch(/ s {2}PostgreSQL is up\n[^]* s {2}node0 is ready\n/);
    for (const text of [
      nodes[0]?.rpc,
      nodes[0]?.accounts[0],
      funded[0]?.privateKey,
      `${folder}/data/node0.log`,
    ]) {
      expect(one.said()).toContain(text);
    }
    const curl = /^ {2}(curl .*)$/m.exec(one.said())?.[1] ?? '';
    const answer = /-d '(.*)' (http\S+)$/.exec(curl) ?? [];
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(answer[2] ?? '', { method: 'POST', headers, body: answer[1] ?? '' });
    expect(await response.json()).toMatchObject({ result: expect.stringMatching(/^0x/) });
    if ((await run('command -v curl')) !== '') expect(await run(curl)).toContain('"result":"0x');
  });

  it('refuses a second start on its folder at once, and a third on its ports, by name', async () => {
    const one = up();
    const { nodes } = await ready(one);
    const second = up();
    expect(await second.ended).toBe(1);
    expect(second.said()).toContain(
      `a network is already running in ${folder}/data (process ${one.child.pid})`,
    );
    const third = up('other');
    expect(await third.ended).toBe(1);
    expect(third.said()).toMatch(/3 ports are in use: \d+ \(node0, JSON-RPC\).*--port-base/);
    if (existsSync('/proc/net/tcp')) expect(third.said()).toContain(`by process ${nodes[0]?.pid} `);
    expect(existsSync(endpointsFile())).toBe(true);
    one.child.kill('SIGINT');
    expect(await one.ended).toBe(0);
    expect(existsSync(endpointsFile())).toBe(false);
    expect(isRunning(nodes[0]?.pid ?? 0)).toBe(false);
  });

  it('is not ready because something else answers on a port of a node', async () => {
    const stranger: Server = createServer((_request, response) => response.end('{"ready":true}'));
    await new Promise<void>((done) => stranger.listen(base + 1, '127.0.0.1', done));
    await writeFile(endpointsFile(), '{"of":"a network that was killed"}');
    const one = up();
    expect(await one.ended).toBe(1);
    expect(one.said()).toContain(`a port is in use: ${base + 1} (node0, operations)`);
    expect(one.said()).not.toContain('ready;');
    expect(existsSync(endpointsFile())).toBe(false);
    await new Promise((done) => stranger.close(done));
  });

  it('reports that a node has ended, and ends when nothing is left', async () => {
    const one = up();
    const { nodes } = await ready(one);
    process.kill(nodes[0]?.pid ?? 0, 'SIGKILL');
    expect(await one.ended).toBe(1);
    expect(one.said()).toContain(`node0 was ended by SIGKILL\n  its log: ${folder}/data/node0.log\n`);
    expect(one.said()).toContain('nothing is left of it: stopping');
    expect(existsSync(endpointsFile())).toBe(false);
  });

  it('goes on without a service that others do not need, and when its nodes are gone', async () => {
    // The rollup of this folder cannot be read.
    await mkdir(join(folder, 'partial/rollup-operator/rollup.json'), { recursive: true });
    const one = up('partial', '--services', 'node,signer,rollup-operator');
    const { nodes, signer, rollup } = await ready(one);
    expect(rollup).toBeNull();
    expect(one.said()).toContain('rollup-operator is left out: ');
    process.kill(nodes[0]?.pid ?? 0, 'SIGKILL');
    await until(() => one.said().includes('no node is left; the other services go on'));
    expect(isRunning(signer?.pid ?? 0)).toBe(true);
    one.child.kill('SIGINT');
    expect(await one.ended).toBe(0);
  });

  it('continues after it was killed, and ends the processes that were left behind', async () => {
    const one = up();
    const { nodes } = await ready(one);
    one.child.kill('SIGKILL');
    await one.ended;
    const next = up();
    const again = await ready(next);
    expect(isRunning(nodes[0]?.pid ?? 0)).toBe(false);
    expect(again.nodes[0]?.enode).toBe(nodes[0]?.enode);
  });

  it('starts a chain with the rules that are asked for, and refuses others when it resumes', async () => {
    const rules = ['--fork', 'berlin', '--free-gas', '--max-code-size', '32', '--gas-limit', '9000000'];
    const one = up('ruled', ...rules);
    const { nodes } = await ready(one);
    const { rpc = '', accounts = [] } = nodes[0] ?? {};
    const block = await ask(rpc, 'eth_getBlockByNumber', ['0x0', false]);
    expect(block.result).toMatchObject({ gasLimit: '0x895440' });
    expect(block.result).not.toHaveProperty('baseFeePerGas');
    const priced = { from: accounts[0], to: accounts[0], gasPrice: '0x1' };
    expect((await ask(rpc, 'eth_sendTransaction', [priced])).error?.message).toBe('Gas price not 0');
    one.child.kill('SIGTERM');
    await one.ended;
    const other = up('ruled', '--max-code-size', '64');
    expect(await other.ended).toBe(1);
    expect(other.said()).toContain('--max-code-size: the genesis file of the network in');
  });

  it.each([
    ['SIGINT', 'starting a network', 130],
    ['SIGTERM', 'keys and genesis', 143],
    ['SIGINT', 'starting node0', 130],
  ] as const)('can be interrupted by %s after “%s”', async (signal, moment, code) => {
    const one = up('interrupted');
    await until(() => one.said().includes(moment));
    one.child.kill(signal);
    expect(await one.ended).toBe(code);
    expect(one.said()).toContain('interrupted; what had been started is stopped');
    expect(existsSync(endpointsFile())).toBe(false);
    expect(await readdir(join(folder, 'interrupted'))).not.toContain('lock');
    const resumed = up('interrupted');
    await ready(resumed);
  });

  it('started twice at a time on an empty folder starts once, and the other run reports it', async () => {
    const both = [up('contended'), up('contended')] as const;
    const [first] = await Promise.race(both.map(async (one) => [one, await one.ended] as const));
    expect(first.said()).toContain(`a network is already running in ${folder}/contended`);
    const other = both.find((one) => one !== first) as Up;
    expect((await ready(other)).nodes).toHaveLength(1);
  });
});
