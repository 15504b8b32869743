import { LoadMaker, SENDERS, deployToken, measureLoad, type LoadReport } from '../load.js';
import { startAnvil, startNode, type Peer } from '../peers.js';
import { permissionCheck } from './permission-check.js';
import { readPhases } from '../node-metrics.js';
import type { BenchResult, Comparison, Figure } from '../report/result.js';

const TRANSFERS = 20_000;
const TOKEN_TRANSFERS = 10_000;

interface PeerReport {
  readonly transfers: LoadReport;
  readonly tokens: LoadReport;
}

/**
 * Presigned transactions from submission to the block, against anvil with the same client and the same blocks; and their
 * admission with permissions against that without.
 */
export async function ledger(): Promise<BenchResult> {
  const { comparisons, figures } = await againstAnvil();
  const check = await permissionCheck();
  return {
    name: 'ledger',
    comparisons: [...comparisons, check.comparison],
    figures: [...figures, ...check.figures],
  };
}

async function againstAnvil(): Promise<Omit<BenchResult, 'name'>> {
  const anvil = await startAnvil(SENDERS.map(({ address }) => address));
  const theirs = await measure(anvil).finally(() => anvil.stop());
  const node = await startNode();
  try {
    const ours = await measure(node);
    return {
      comparisons: [
        compare('transfers', { ours: ours.transfers, theirs: theirs.transfers, bound: 0.3 }),
        compare('token transfers', { ours: ours.tokens, theirs: theirs.tokens, bound: 0.25 }),
      ],
      figures: [
        ...latencies('our transfers', ours.transfers),
        ...latencies('anvil’s transfers', theirs.transfers),
        ...(await readPhases(node.opsUrl)),
      ],
    };
  } finally {
    await node.stop();
  }
}

async function measure({ url }: Peer): Promise<PeerReport> {
  const { token, nonces } = await deployToken(url);
  const maker = new LoadMaker(nonces);
  const transfers = await measureLoad(url, maker.transfers(TRANSFERS), maker.reached());
  const tokens = await measureLoad(url, maker.tokenTransfers(TOKEN_TRANSFERS, token), maker.reached());
  return { transfers, tokens };
}

function compare(what: string, pair: { ours: LoadReport; theirs: LoadReport; bound: number }): Comparison {
  const ours = pair.ours.transactionsPerSecond;
  const peer = pair.theirs.transactionsPerSecond;
  const target = { bound: pair.bound, side: 'atLeast' as const };
  return { what, unit: 'tx/s', ours, peer, peerName: 'anvil --block-time 1', ratio: ours / peer, target };
}

function latencies(what: string, { submissionP50Ms, submissionP99Ms }: LoadReport): Figure[] {
  return [
    {
      what: `submission of ${what}`,
      value: `p50 ${submissionP50Ms.toFixed(1)} ms, p99 ${submissionP99Ms.toFixed(1)} ms`,
    },
  ];
}
