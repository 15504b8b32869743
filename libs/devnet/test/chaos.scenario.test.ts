import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNetworkOptions, runChaos, startLinkedNetwork, type LinkedNetwork } from '@tetrad/devnet';
import { lackingForEtcd } from '@tetrad/embedded-etcd';

/** The short form; `./tetrad bench chaos` runs for ten minutes, with 100 kills. Each kind of process is killed at least once. */
const KILL_EVERY_MS = 3_000;
const PARTITION_MS = 5_000;
/** Raft's minter would make twenty blocks a second, as it does in the bench. */
const BLOCK_PERIOD_MS = '1000';
const SEED = 5;

const lacking = await lackingForEtcd();
if (lacking !== undefined) process.stderr.write(`SKIPPED: chaos on raft: ${lacking}\n`);

const KINDS = ['PostgreSQL', 'manager', 'node', 'service'];

describe.each([
  { consensus: 'qbft', durationMs: 15_000, kinds: KINDS, run: describe },
  {
    consensus: 'raft',
    durationMs: 21_000,
    kinds: [...KINDS, 'etcd', 'quorum of etcd'],
    run: lacking === undefined ? describe : describe.skip,
  },
])('four nodes', ({ consensus, durationMs, kinds, run }) => {
  let folder: string;
  let linked: LinkedNetwork;
  run(`under ${consensus}, with managers and a signer`, () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tetrad-chaos-'));
      const words = [
        '--services',
        'node,transaction-manager,signer',
        '--consensus',
        consensus,
        '--nodes',
        '4',
        '--block-period',
        BLOCK_PERIOD_MS,
      ];
      linked = await startLinkedNetwork(parseNetworkOptions(['--data-dir', folder, ...words]));
    }, 900_000);
    afterAll(async () => {
      await linked?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('lose no acknowledged transaction, do not fork or stand, and agree in the end, whatever is killed or cut off', async () => {
      const report = await runChaos({
        ...linked,
        durationMs,
        seed: SEED,
        killEveryMs: KILL_EVERY_MS,
        partitionMs: PARTITION_MS,
      });
      expect(Object.keys(report.kills).sort()).toEqual([...kinds].sort());
      expect(report.partitions).toBeGreaterThan(0);
      expect(report.acknowledgedPrivately).toBeGreaterThan(0);
      expect(report.acknowledged).toBeGreaterThan(report.acknowledgedPrivately);
      expect(report.blocks).toBeGreaterThan(0);
      expect(report.minedTransactions).toBeGreaterThanOrEqual(report.acknowledged);
    }, 900_000);
  });
});
