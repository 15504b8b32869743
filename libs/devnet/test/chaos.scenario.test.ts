import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNetworkOptions, runChaos, startLinkedNetwork, type LinkedNetwork } from '@tetrad/devnet';

/** The short form; `./tetrad bench chaos` runs for ten minutes, with 100 kills. Each kind of process is killed at least once. */
const DURATION_MS = 25_000;
const KILL_EVERY_MS = 5_000;
const PARTITION_MS = 8_000;
const SEED = 5;

let folder: string;
let linked: LinkedNetwork;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-chaos-'));
  linked = await startLinkedNetwork(
    parseNetworkOptions(['--data-dir', folder, '--services', 'node,transaction-manager,signer']),
  );
}, 900_000);
afterAll(async () => {
  await linked?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('four validators with managers and a signer, of which one is killed every few seconds, PostgreSQL too, in a network that falls apart', () => {
  it('lose no acknowledged transaction, public or private, do not fork or stand, and agree in the end', async () => {
    const report = await runChaos({
      ...linked,
      durationMs: DURATION_MS,
      killEveryMs: KILL_EVERY_MS,
      partitionMs: PARTITION_MS,
      seed: SEED,
    });
    expect(Object.keys(report.kills).sort()).toEqual(['PostgreSQL', 'manager', 'node', 'service']);
    expect(report.partitions).toBeGreaterThan(0);
    expect(report.acknowledgedPrivately).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(report.acknowledgedPrivately);
    expect(report.blocks).toBeGreaterThan(0);
    expect(report.minedTransactions).toBeGreaterThanOrEqual(report.acknowledged);
  }, 900_000);
});
