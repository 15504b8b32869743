import { createWriter, extend, writeSlots, type Party } from '../extended-contract.js';
import { startNode } from '../peers.js';
import { median, type BenchResult } from '../report/result.js';

const SLOTS = 10_000;
const RUNS = 3;
const BLOCK_PERIOD_MS = 500;
const MAX_TIMES = 10;

/** A contract of two nodes is extended to a third one, against writing its slots by private transactions. */
export async function extension(): Promise<BenchResult> {
  const node = await startNode({
    nodes: 3,
    blockPeriodMs: BLOCK_PERIOD_MS,
    services: 'node,transaction-manager',
  });
  try {
    const [first, second, third] = node.network.endpoints.nodes as readonly [Party, Party, Party];
    const [written, extended]: [number[], number[]] = [[], []];
    let transactions = 0;
    for (let run = 0; run < RUNS; run++) {
      const contract = await createWriter(first, second);
      const began = performance.now();
      transactions = await writeSlots(contract, SLOTS, [first, second]);
      const between = performance.now();
      await extend(contract, SLOTS, { initiator: first, recipient: third });
      written.push(between - began);
      extended.push(performance.now() - between);
    }
    const [ours, peer] = [median(extended), median(written)];
    return {
      name: 'extension',
      comparisons: [
        {
          what: `extension of ${SLOTS} slots`,
          unit: 'ms',
          ours,
          peer,
          peerName: `writing them, ${transactions} transactions`,
          ratio: ours / peer,
          target: { bound: MAX_TIMES, side: 'atMost' },
        },
      ],
      figures: [
        { what: 'extensions, ms', value: extended.map((time) => time.toFixed(0)).join(' ') },
        { what: 'writing, ms', value: written.map((time) => time.toFixed(0)).join(' ') },
        { what: 'block period', value: `${BLOCK_PERIOD_MS} ms` },
      ],
    };
  } finally {
    await node.stop();
  }
}
