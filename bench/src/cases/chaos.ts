import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNetworkOptions, runChaos, startLinkedNetwork } from '@tetrad/devnet';
import type { BenchResult } from '../report/result.js';

const DURATION_MS = 600_000;
const SEED = 20_261_121;

/** Ten minutes of four validators that are killed and parted; fails when the chain forks or a promise is broken. */
export async function chaos(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  const linked = await startLinkedNetwork(
    parseNetworkOptions(['--data-dir', folder, '--services', 'node', '--nodes', '4']),
  );
  try {
    const report = await runChaos({
      ...linked,
      durationMs: DURATION_MS,
      seed: SEED,
      say: (line) => process.stderr.write(`  ${line}\n`),
    });
    return {
      name: 'chaos',
      comparisons: [
        {
          what: 'acknowledged transactions on the chain of all nodes',
          unit: 'tx',
          ours: report.acknowledged,
          peer: report.acknowledged,
          peerName: 'acknowledged',
          ratio: 1,
          target: { bound: 1, side: 'atLeast' },
        },
      ],
      figures: [
        { what: 'nodes killed', value: String(report.kills) },
        { what: 'network partitions', value: String(report.partitions) },
        { what: 'blocks', value: String(report.height) },
        { what: 'sends retried', value: String(report.retries) },
      ],
    };
  } finally {
    await linked.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
