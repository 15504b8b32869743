import { randomUUID } from 'node:crypto';
import { WorkLoop, FAILURE_PAUSE_MS, POLL_MS, ProofQueue, ProverWorker } from '@tetrad/rollup-batcher';
import { SizedProvers, assertPinnedPoints } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import type { ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import { batchSizesOf } from '../batch-sizes.js';
import type { OperatorConfig } from '../config.js';
import type { OpenRollup } from '../open-rollup.js';
import type { RunningRole } from './running-role.js';

/** Proves batches, one at a time on all its threads. Any number of processes may. */
export async function proverRole({
  config,
  environment: { logger, metrics },
  rollup,
}: {
  readonly config: OperatorConfig;
  readonly environment: ServiceEnvironment;
  readonly rollup: OpenRollup;
}): Promise<RunningRole> {
  const { database, store } = rollup;
  const { proverThreads: threads, pointsDir: pointsFolder } = config;
  if (pointsFolder !== undefined) await assertPinnedPoints(pointsFolder);
  const provers = new SizedProvers({ threads, pointsFolder });
  for (const size of batchSizesOf(config)) await provers.open(size);
  const queue = await ProofQueue.open(database, logger);
  const worker = new ProverWorker({
    ...{ database, store, queue, logger, metrics, name: randomUUID() },
    prove: (witness) => provers.prove(witness),
    readWitness: (proving) => decodeProvingInput(proving).witness,
  });
  const loop = new WorkLoop(
    { name: 'prove', clock: systemClock, logger, pollMs: POLL_MS, failureMs: FAILURE_PAUSE_MS },
    () => worker.step(),
  );
  loop.start();
  return {
    readiness: { prover: async () => worker.failure ?? loop.failure },
    async stop() {
      // A proof that is under way is given up: another prover, or this one when it is back, makes it.
      const stopped = loop.stop();
      await provers.close();
      await stopped;
      await queue.close();
    },
  };
}
