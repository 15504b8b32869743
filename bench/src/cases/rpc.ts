import { runLoad } from '@tetrad/testkit';
import { CONNECTIONS } from '../load.js';
import { startEcho, startNode } from '../peers.js';
import { median, type BenchResult } from '../report/result.js';

const CALLS = 12_000;
const RUNS = 5;

/** A trivial method of a whole node against a bare server that echoes JSON, in turns. */
export async function rpc(): Promise<BenchResult> {
  const [echo, node] = [await startEcho(), await startNode()];
  const params = Array.from({ length: CALLS }, () => []);
  const rate = async (url: string) => {
    const started = performance.now();
    await runLoad(params, { url, connections: CONNECTIONS, method: 'web3_clientVersion' });
    return CALLS / ((performance.now() - started) / 1000);
  };
  try {
    const bare: number[] = [];
    const ours: number[] = [];
    // The first run warms both up and is not counted.
    for (let run = 0; run <= RUNS; run++) {
      const pair = [await rate(echo.url), await rate(node.url)] as const;
      if (run === 0) continue;
      bare.push(pair[0]);
      ours.push(pair[1]);
    }
    const ratio = median(ours.map((value, index) => value / (bare[index] as number)));
    return {
      name: 'rpc',
      comparisons: [
        {
          what: 'web3_clientVersion, 32 connections',
          unit: 'requests/s',
          ours: median(ours),
          peer: median(bare),
          peerName: 'bare node:http echo',
          ratio,
          target: { bound: 0.6, side: 'atLeast' },
        },
      ],
      figures: [{ what: 'runs', value: `${RUNS} of ${CALLS} calls, alternating` }],
    };
  } finally {
    await node.stop();
    await echo.stop();
  }
}
