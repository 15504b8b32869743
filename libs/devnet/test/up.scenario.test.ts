import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, freePorts, type Endpoints } from '@tetrad/devnet';
import { TraceCollector, type CollectedSpan } from '@tetrad/service/trace-collector';
import { SHORT_BLOCK_PERIODS, startChildService, until, type ChildService } from '@tetrad/testkit';
import { PAGE_PORTS } from './pages/page-shell.js';
import { testPages } from './pages/page-tests.js';
import { missingMethods } from './served-methods.js';

/** As the README has it. */
const COMMAND = './tetrad up --endpoints-file endpoints.json';

let folder: string;
let endpointsFile: string;
let running: ChildService | undefined;
/** Of the network that runs. */
let endpoints: Endpoints;
let base: number;
let collector: TraceCollector;
beforeAll(async () => {
  collector = await TraceCollector.start();
  folder = await mkdtemp(join(tmpdir(), 'tetrad-up-'));
  endpointsFile = join(folder, 'endpoints.json');
  base = await freePorts(PAGE_PORTS);
});
afterAll(async () => {
  await running?.stop();
  await collector.close();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Starts the network in the folder with the launcher, and waits for its endpoints file.
 * @param environment - of all services
 */
async function up(
  environment: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildService; endpoints: Endpoints }> {
  // Other ports than the documented ones, which may be in use on the host.
  const words = [...COMMAND.split(' ').slice(1), '--port-base', String(base), ...SHORT_BLOCK_PERIODS];
  const child = await startChildService({
    name: 'up',
    command: 'sh',
    args: ['-c', 'cd "$0" && exec "$@"', folder, join(ROOT, 'tetrad'), ...words],
    environment: { NODE_OPTIONS: '', ...environment },
    logFile: join(folder, 'up.log'),
    isReady: async () => existsSync(endpointsFile),
  });
  running = child;
  endpoints = JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints;
  return { child, endpoints };
}

async function call(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/**
 * Sends a payload from the manager of one node to that of another.
 * @returns the payload that the latter has
 */
async function sendPrivately(from: string, { ptm, ptmKey }: Endpoints['nodes'][number]): Promise<unknown> {
  const payload = Buffer.from('for one of them').toString('base64');
  const sent = await fetch(`${from}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload, to: [ptmKey] }),
  });
  const { key } = (await sent.json()) as { key: string };
  const received = await fetch(`${ptm}/transaction/${encodeURIComponent(key)}`);
  return Buffer.from(((await received.json()) as { payload: string }).payload, 'base64').toString();
}

/**
 * Has the signer sign and send a contract creation to two parties.
 * @returns each node's view of it, by node index
 */
async function sendRestricted({ nodes, signer }: Endpoints): Promise<readonly unknown[]> {
  const [privateFrom, party] = nodes.map(({ ptmKey }) => ptmKey);
  // The runtime code is empty, but the contract exists.
  const data = '0x60006000f3';
  const request = { from: signer?.address, data, gas: '0x15f90', gasPrice: '0x0' };
  const privacy = { privateFrom, privateFor: [party], restriction: 'restricted' };
  const hash = await call(`${signer?.rpc}`, 'eea_sendTransaction', [{ ...request, ...privacy }]);
  return Promise.all(
    nodes.map(async ({ rpc }) => {
      while ((await call(rpc, 'eth_getTransactionReceipt', [hash])) === null)
        await new Promise((tick) => setTimeout(tick, 50));
      return call(rpc, 'priv_getTransactionReceipt', [hash]);
    }),
  );
}

/** The trace of the transaction whose span is the first of its trace, once every node has followed its block. */
async function assertWholeTrace(nodes: number): Promise<void> {
  const spansOf = () => {
    const sent = collector.spans.find(({ name }) => name === 'eea_sendTransaction');
    return collector.trace(sent?.traceId ?? '');
  };
  const named = (name: string) => spansOf().filter((span) => span.name === name);
  const rootsOf = (spans: readonly CollectedSpan[]) => {
    const ids = new Set(spans.map(({ spanId }) => spanId));
    return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
  };
  // Each service sends its spans by itself. Every node imports the block, and looks for the payload with its manager.
  await until(() => named('import block with transaction').length === nodes);
  await until(() => named('follow private block').length === nodes);
  await until(() => rootsOf(spansOf()).length === 1);
  const spans = spansOf();
  expect(rootsOf(spans)).toMatchObject([{ service: 'tetrad-signer', name: 'POST /', parentSpanId: '' }]);
  const services = new Set(spans.map(({ service }) => service));
  expect([...services].sort()).toEqual(['tetrad-node', 'tetrad-signer', 'tetrad-transaction-manager']);
  // The sender's manager, and that of the other party, which gets the payload from the former.
  expect(named('POST /send')).toHaveLength(1);
  const [push] = named('POST /push');
  expect(push).toMatchObject({
    service: 'tetrad-transaction-manager',
    parentSpanId: named('POST /send')[0]?.spanId,
  });
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
  it('is started here as the README has it', async () => {
    expect((await readFile(join(ROOT, 'README.md'), 'utf8')).split('\n')).toContain(COMMAND);
  });

  it('prints its addresses, serves all methods that docs/reference/methods.md lists as served, stops at Ctrl-C, and resumes', async () => {
    const first = await up({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const [node] = first.endpoints.nodes;
    const { signer, chainId } = first.endpoints;
    expect((await stat(endpointsFile)).mode & 0o777).toBe(0o600);
    expect(node).toMatchObject({ rpc: `http://127.0.0.1:${base}`, ws: `ws://127.0.0.1:${base}` });
    const url = node?.rpc as string;
    expect([chainId, Number(await call(url, 'eth_chainId'))]).toEqual([1337, 1337]);
    expect(await call(url, 'eth_accounts')).toEqual(node?.accounts);
    expect(await call(signer?.rpc as string, 'eth_accounts')).toEqual([signer?.address]);
    const { wallet } = first.endpoints;
    expect(wallet).toMatchObject({ rpc: `http://127.0.0.1:${base + 5}`, path: '/rpc/v1/coin' });
    expect(await call(`${wallet?.rpc}${wallet?.path}`, 'Coin.WalletList')).toEqual([]);
    const [manager, other] = first.endpoints.nodes;
    expect(manager?.ptm).toBe(`http://127.0.0.1:${base + 7}`);
    if (other === undefined) throw new Error('there is one node');
    expect(await sendPrivately(`${manager?.ptm}`, other)).toBe('for one of them');
    // Where client libraries ask for the keys of a manager.
    const keys = await fetch(`${manager?.ptmThirdParty}/keys`);
    expect(await keys.json()).toEqual({ keys: [{ key: manager?.ptmKey }] });
    const restricted = { status: '0x1', from: signer?.address, privateFor: [other.ptmKey] };
    const shown = await sendRestricted(first.endpoints);
    expect(shown.slice(0, 2)).toMatchObject([restricted, restricted]);
    expect(shown.slice(2)).toEqual([null, null]);
    await assertWholeTrace(first.endpoints.nodes.length);
    expect(await missingMethods(url, 'node')).toEqual([]);
    expect(await missingMethods(`${signer?.rpc}`, 'signer')).toEqual([]);
    expect(await missingMethods(`${wallet?.rpc}${wallet?.path}`, 'wallet')).toEqual([]);
    const head = await headAtLeast(url, 3);
    expect(await interrupt(first.child)).toBe(0);
    await expect(call(url, 'eth_blockNumber')).rejects.toThrow('fetch failed');

    expect(existsSync(endpointsFile)).toBe(false);
    const second = await up();
    expect(second.endpoints.signer?.address).toBe(signer?.address);
    expect(second.endpoints.nodes.map(({ ptmKey }) => ptmKey)).toEqual(
      first.endpoints.nodes.map(({ ptmKey }) => ptmKey),
    );
    expect(Number(await call(url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(head);
    await headAtLeast(url, head + 2);
  }, 900_000);
});

// On the network that was resumed, which a reader of the pages has as well after a break.
describe('the pages about ./tetrad up', () =>
  testPages(COMMAND, () => ({ folder, portBase: base, endpoints })));

describe('./tetrad up after all of that', () => {
  it('stops at Ctrl-C', async () => {
    if (running === undefined) throw new Error('no network runs');
    expect(await interrupt(running)).toBe(0);
    expect(existsSync(endpointsFile)).toBe(false);
  });
});
