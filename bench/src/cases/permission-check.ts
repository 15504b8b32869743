import { callRpc } from '../call-rpc.js';
import { LoadMaker, measureLoad } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { processCpu } from '../process-cpu.js';
import { median, type Comparison, type Figure } from '../report/result.js';

const TRANSFERS = 3_000;
const ROUNDS = 8;
/** So that a round, which begins after a block, is admitted before the next one is made. */
const BLOCK_PERIOD_MS = 3_000;
const MOST = 1.03;
const POLL_MS = 10;

/** CPU of a transfer on a node with permission contracts, against one without, in turns. */
export async function permissionCheck(): Promise<{ comparison: Comparison; figures: Figure[] }> {
  const plain = await startNode({ blockPeriodMs: BLOCK_PERIOD_MS });
  const permissioned = await startNode({
    ...{ blockPeriodMs: BLOCK_PERIOD_MS, words: ['--permissioned'] },
  }).catch(async (error: unknown) => {
    await plain.stop();
    throw error;
  });
  try {
    return report(await measureInTurns({ plain, permissioned }));
  } finally {
    await plain.stop();
    await permissioned.stop();
  }
}

type Kind = 'plain' | 'permissioned';
type Costs = Readonly<Record<Kind, number[]>>;

async function measureInTurns(nodes: Readonly<Record<Kind, BenchNode>>): Promise<Costs> {
  const makers = { plain: new LoadMaker(), permissioned: new LoadMaker() };
  const costs: Costs = { plain: [], permissioned: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const turns: readonly Kind[] = round % 2 === 0 ? ['plain', 'permissioned'] : ['permissioned', 'plain'];
    for (const kind of turns) {
      const cost = await admissionCpu(nodes[kind], makers[kind]);
      // The first round warms both up.
      if (round >= 0) costs[kind].push(cost);
    }
  }
  return costs;
}

/** CPU seconds of the node from the first submission to the last answer. */
async function admissionCpu({ url, network }: BenchNode, maker: LoadMaker): Promise<number> {
  const { pid } = network.nodes[0] as BenchNode['network']['nodes'][number];
  const transfers = maker.transfers(TRANSFERS);
  await nextBlock(url);
  const before = await processCpu(pid);
  let admitted = before;
  await measureLoad(url, transfers, maker.reached(), async () => {
    admitted = await processCpu(pid);
  });
  return admitted - before;
}

async function nextBlock(url: string): Promise<void> {
  const head = await callRpc(url, 'eth_blockNumber', []);
  while ((await callRpc(url, 'eth_blockNumber', [])) === head)
    await new Promise((tick) => setTimeout(tick, POLL_MS));
}

function report({ plain, permissioned }: Costs): { comparison: Comparison; figures: Figure[] } {
  const each = (costs: readonly number[]) => (median(costs) / TRANSFERS) * 1e6;
  const ratios = permissioned.map((cost, round) => cost / (plain[round] as number));
  return {
    comparison: {
      ...{ what: 'CPU of admission, permissioned', unit: 'µs', peerName: 'without permissions' },
      ...{ ours: each(permissioned), peer: each(plain), ratio: median(ratios) },
      target: { bound: MOST, side: 'atMost' },
    },
    figures: [
      {
        what: 'CPU of admission, permissioned in terms of plain, of each round',
        value: ratios.map((ratio) => ratio.toFixed(3)).join(' '),
      },
    ],
  };
}
