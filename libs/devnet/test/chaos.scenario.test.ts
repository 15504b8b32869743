import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNetworkOptions, runChaos, startLinkedNetwork, type LinkedNetwork } from '@tetrad/devnet';

/** The short form; `./tetrad bench chaos` runs for ten minutes. */
const DURATION_MS = 30_000;
const KILL_EVERY_MS = 6_000;
const PARTITION_MS = 8_000;
const SEED = 5;

let folder: string;
let linked: LinkedNetwork;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-chaos-'));
  linked = await startLinkedNetwork(
    parseNetworkOptions(['--data-dir', folder, '--services', 'node', '--nodes', '4']),
  );
}, 900_000);
afterAll(async () => {
  await linked?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('four validators of which one is killed every six seconds, in a network that falls apart', () => {
  it('lose no acknowledged transaction, do not fork, and agree in the end', async () => {
    const report = await runChaos({
      ...linked,
      durationMs: DURATION_MS,
      killEveryMs: KILL_EVERY_MS,
      partitionMs: PARTITION_MS,
      seed: SEED,
    });
    expect(report.kills).toBeGreaterThan(1);
    expect(report.partitions).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.minedTransactions).toBeGreaterThanOrEqual(report.acknowledged);
  }, 900_000);
});
