import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';
import { percentile, runLoad, type CallOutcome } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { callRpc } from '../call-rpc.js';
import { CONNECTIONS, LoadMaker, SENDERS } from '../load.js';
import { startEcho } from '../peers.js';
import { cpuBetween, cpuByProcess } from '../process-cpu.js';
import { median, type BenchResult, type Comparison, type Figure } from '../report/result.js';

const SENDS = 3_000;
const SIGNATURES = 6_000;
const RUNS = 3;
const AT_ONCE = 1_000;

/** Sending through the signer against sending presigned transactions; signing alone against its limits. */
export async function signer(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-signer-'));
  const shape = ['--nodes', '1', '--services', 'node,signer'];
  const options = ['--data-dir', folder, '--port-base', String(await freePorts(PORTS_PER_NODE)), ...shape];
  const [network, echo] = [await startNetwork(parseNetworkOptions(options)), await startEcho()];
  try {
    const sending = await compareSending(network, folder);
    const signing = await compareSigning(network, echo.url);
    await assertConsecutive(network);
    return {
      name: 'signer',
      comparisons: [sending.comparison, signing.comparison],
      figures: [
        { what: 'a send through the signer', value: sending.latencies },
        ...sending.cpu,
        { what: 'limits of signing', value: signing.limits },
        {
          what: `${AT_ONCE} concurrent sends`,
          value: 'took consecutive nonces, none lost and none twice',
        },
        { what: 'runs', value: `${RUNS} of ${SENDS} sends and ${SIGNATURES} signatures, alternating` },
      ],
    };
  } finally {
    await echo.stop();
    await network.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareSending(
  network: Network,
  folder: string,
): Promise<{ comparison: Comparison; latencies: string; cpu: Figure[] }> {
  const [node, proxy] = urlsOf(network);
  const maker = new LoadMaker(await noncesOf(node));
  const transfer = await transferOf(network);
  const [ours, theirs]: number[][] = [[], []];
  const cpuOf = () => cpuByProcess({ network, folder }, ['node0', 'signer']);
  let times: number[] = [];
  let cpu: Figure[] = [];
  // The first run warms both up and is not counted.
  for (let run = 0; run <= RUNS; run++) {
    const raws = maker.transfers(SENDS).map((raw) => [hexFromBytes(raw)]);
    const [start, direct] = [await cpuOf(), await measure(node, 'eth_sendRawTransaction', raws)];
    const between = await cpuOf();
    const through = await measure(proxy, 'eth_sendTransaction', Array(SENDS).fill([transfer]));
    if (run === 0) continue;
    cpu = [cpuFigure('presigned', start, between), cpuFigure('a send', between, await cpuOf())];
    theirs?.push(direct.rate);
    ours?.push(through.rate);
    times = times.concat(through.outcomes.map(({ milliseconds }) => milliseconds));
  }
  const what = `eth_sendTransaction from one account, ${CONNECTIONS} connections`;
  const peerName = 'presigned eth_sendRawTransaction';
  return {
    comparison: compare({ what, ours: ours ?? [], theirs: theirs ?? [], peerName, bound: 0.8 }),
    cpu,
    latencies: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
  };
}

function cpuFigure(
  what: string,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Figure {
  const each = [...cpuBetween(before, after)].map(
    ([name, seconds]) => `${name} ${((seconds / SENDS) * 1_000).toFixed(2)}`,
  );
  return { what: `CPU of ${what} in the last run, ms`, value: each.join(', ') };
}

async function compareSigning(
  network: Network,
  echoUrl: string,
): Promise<{ comparison: Comparison; limits: string }> {
  const [, proxy] = urlsOf(network);
  const transfer = await transferOf(network);
  const params = Array.from({ length: SIGNATURES }, (_, nonce) => [{ ...transfer, nonce }]);
  const [ours, limits]: number[][] = [[], []];
  let [echo, raw] = [0, 0];
  for (let run = 0; run <= RUNS; run++) {
    raw = rawSigningRate();
    echo = (await measure(echoUrl, 'web3_clientVersion', Array(SIGNATURES).fill([]))).rate;
    const { rate } = await measure(proxy, 'eth_signTransaction', params);
    if (run === 0) continue;
    ours?.push(rate);
    limits?.push(Math.min(raw, echo));
  }
  const peerName = 'bare node:http echo, or signing digests in a loop, whichever is slower';
  return {
    comparison: compare({
      what: `eth_signTransaction, ${CONNECTIONS} connections`,
      ours: ours ?? [],
      theirs: limits ?? [],
      peerName,
      bound: 0.7,
    }),
    limits: `${echo.toFixed(0)} requests/s echoed, ${raw.toFixed(0)} digests/s signed`,
  };
}

/** Digests a second that one thread signs. */
function rawSigningRate(): number {
  const privateKey = generatePrivateKey();
  const started = performance.now();
  let digest = keccak256(privateKey);
  for (let index = 0; index < SIGNATURES; index++) digest = keccak256(signDigest(digest, privateKey).r);
  return SIGNATURES / ((performance.now() - started) / 1000);
}

/** @throws when a nonce is missing or was used twice */
async function assertConsecutive(network: Network): Promise<void> {
  const [node, proxy] = urlsOf(network);
  const transfer = await transferOf(network);
  const first = Number(await callRpc(node, 'eth_getTransactionCount', [transfer.from, 'pending']));
  const options = { url: proxy, connections: AT_ONCE, method: 'eth_sendTransaction' };
  const sent = await runLoad(Array(AT_ONCE).fill([transfer]), options);
  const found = await runLoad(
    sent.map(({ result }) => [result]),
    { url: node, connections: CONNECTIONS, method: 'eth_getTransactionByHash' },
  );
  const nonces = found.map(({ result }) => Number((result as { nonce: string }).nonce)).sort((a, b) => a - b);
  const wrong = nonces.findIndex((nonce, index) => nonce !== first + index);
  if (wrong !== -1) throw new Error(`nonce ${first + wrong} is missing: ${nonces[wrong]} follows`);
}

async function measure(
  url: string,
  method: string,
  params: readonly (readonly unknown[])[],
): Promise<{ rate: number; outcomes: CallOutcome[] }> {
  const started = performance.now();
  const outcomes = await runLoad(params, { url, connections: CONNECTIONS, method });
  const rate = params.length / ((performance.now() - started) / 1000);
  const failed = outcomes.find(({ error, lost }) => error !== undefined || lost !== undefined);
  if (failed !== undefined) throw new Error(`${method}: ${failed.error?.message ?? failed.lost}`);
  return { rate, outcomes };
}

function compare(pair: {
  readonly what: string;
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  readonly peerName: string;
  readonly bound: number;
}): Comparison {
  const { what, ours, theirs, peerName, bound } = pair;
  return {
    what,
    unit: 'requests/s',
    ours: median(ours),
    peer: median(theirs),
    peerName,
    ratio: median(ours.map((value, index) => value / (theirs[index] as number))),
    target: { bound, side: 'atLeast' },
  };
}

function urlsOf({ endpoints }: Network): readonly [node: string, signer: string] {
  const [node] = endpoints.nodes;
  if (node === undefined || endpoints.signer === null) throw new Error('the network has no signer');
  return [node.rpc, endpoints.signer.rpc];
}

async function transferOf(network: Network) {
  const from = network.endpoints.signer?.address ?? '';
  return { from, to: SENDERS[0]?.address, value: '0x1', gas: '0x5208', gasPrice: '0x0' };
}

function noncesOf(url: string): Promise<number[]> {
  return Promise.all(
    SENDERS.map(async ({ address }) =>
      Number(await callRpc(url, 'eth_getTransactionCount', [address, 'pending'])),
    ),
  );
}
