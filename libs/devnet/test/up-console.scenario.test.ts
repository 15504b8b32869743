import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, type Endpoints } from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, isRunning, until } from '@tetrad/testkit';
import { startUp, untilReady, type Up } from './up-process.js';

let folder: string;
let base: number;
const started: Up[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-up-console-'));
  base = await freePorts(2 * PORTS_PER_NODE);
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Started {
  readonly one: Up;
  readonly endpoints: Endpoints;
  readonly console: NonNullable<Endpoints['console']>;
}

/** A network of one node with a console, in the folder. */
async function up(): Promise<Started> {
  const file = join(folder, 'endpoints.json');
  const words = ['--console', '--nodes', '1', '--services', 'node', ...SHORT_BLOCK_PERIODS];
  const places = ['--port-base', String(base), '--data-dir', join(folder, 'data'), '--endpoints-file', file];
  const one = startUp([...words, ...places]);
  started.push(one);
  const endpoints = await untilReady(one, file);
  if (endpoints.console === undefined) throw new Error('the endpoints file has no console');
  return { one, endpoints, console: endpoints.console };
}

/** The head of node0, which the page asks for in this way. */
async function headThrough(url: string): Promise<number> {
  const response = await fetch(`${url}/api/nodes/node0`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ method: 'eth_blockNumber', params: [] }]),
  });
  const [answer] = (await response.json()) as { readonly result: string }[];
  return Number(answer?.result);
}

describe('./tetrad up --console', () => {
  it('serves a page beside the network, prints its address, and stops it with the network', async () => {
    const { one, console, endpoints } = await up();
    expect(console.url).toBe(`http://127.0.0.1:${base + 15}`);
    expect(one.said()).toMatch(new RegExp(`^console +${console.url}$`, 'm'));
    const page = await (await fetch(console.url)).text();
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, console.url))).status).toBe(200);
    await until(async () => (await headThrough(console.url)) >= 2);
    one.child.kill('SIGINT');
    expect(await one.ended).toBe(0);
    expect([console, ...endpoints.nodes].filter(({ pid }) => isRunning(pid))).toEqual([]);
  });

  it('gives the console a file without keys and databases, which its owner alone reads', async () => {
    const { endpoints } = await up();
    const file = join(folder, 'data/console/endpoints.json');
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toEqual({
      chainId: endpoints.chainId,
      nodes: endpoints.nodes,
      signer: null,
      rollup: null,
      wallet: null,
    });
    for (const { privateKey } of endpoints.funded) expect(text).not.toContain(privateKey);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('goes on without its console, and says that it ended', async () => {
    const { one, console, endpoints } = await up();
    process.kill(console.pid, 'SIGKILL');
    await until(() =>
      new RegExp(`console was ended by SIGKILL\\n +its log: ${folder}/data/console.log\\n`).test(one.said()),
    );
    expect(endpoints.nodes.every(({ pid }) => isRunning(pid))).toBe(true);
  });

  it('has one console again after it was killed', async () => {
    const before = await up();
    before.one.child.kill('SIGKILL');
    await before.one.ended;
    const { console } = await up();
    expect(isRunning(before.console.pid)).toBe(false);
    expect(isRunning(console.pid)).toBe(true);
    expect(await headThrough(console.url)).toBeGreaterThanOrEqual(0);
  });
});
