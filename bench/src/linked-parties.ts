import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseNetworkOptions, startLinkedNetwork, type LinkedNetwork } from '@tetrad/devnet';

/** Blocks a second, as statements are made for each. */
export const BLOCK_PERIOD_MS = 1_000;

/** A network whose nodes each have a manager, over links that count bytes and can be broken, and its folder. */
export interface LinkedParties {
  readonly linked: LinkedNetwork;
  readonly folder: string;
}

/** Runs the case with so many nodes, and leaves nothing behind. */
export async function withLinkedParties<T>(
  nodes: number,
  run: (parties: LinkedParties) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-bench-'));
  const words = ['--data-dir', folder, '--services', 'node,transaction-manager'];
  words.push('--nodes', String(nodes), '--block-period', String(BLOCK_PERIOD_MS));
  const linked = await startLinkedNetwork(parseNetworkOptions(words));
  try {
    return await run({ linked, folder });
  } finally {
    await linked.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
