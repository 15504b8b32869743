import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { WorkLoop, FAILURE_PAUSE_MS, POLL_MS, ProofQueue, ProverWorker } from '@tetrad/rollup-batcher';
import { CircuitError, SizedProvers, assertEnoughPoints } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import { batchSizesOf } from '../batch-sizes.js';
import type { OperatorConfig } from '../config.js';
import type { OpenRollup } from '../open-rollup.js';
import type { RunningRole } from './running-role.js';

/** Fails: OperatorError for a size that has no circuit, or too few proving points */
export async function openProvers(
  config: Pick<OperatorConfig, 'proverThreads' | 'pointsDir' | 'batchSize' | 'batchSizes'>,
): Promise<SizedProvers> {
  const { proverThreads: threads, pointsDir: pointsFolder } = config;
  const sizes = batchSizesOf(config);
  const provers = new SizedProvers({ threads, pointsFolder });
  try {
    await assertEnoughPoints(sizes, pointsFolder);
    for (const size of sizes) await provers.open(size);
    return provers;
  } catch (error) {
    if (error instanceof CircuitError) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

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
  const provers = await openProvers(config);
  const queue = await ProofQueue.open(database, logger);
  const worker = new ProverWorker({
    ...{ database, store, queue, logger, metrics, name: `${hostname()}/${randomUUID()}` },
    prove: (witness) => provers.prove(witness),
    readWitness: (proving) => decodeProvingInput(proving).witness,
  });
  const loop = new WorkLoop(
    { name: 'prove', clock: systemClock, logger, pollMs: POLL_MS, failureMs: FAILURE_PAUSE_MS },
    () => worker.step(),
  );
  loop.start();
  return {
    readiness: { prover: { class: 'rollout', check: () => worker.failure ?? loop.failure } },
    async stop() {
      // A proof that is under way is given up: another prover, or this one when it is back, makes it.
      const stopped = loop.stop();
      await provers.close();
      await stopped;
      await queue.close();
    },
  };
}
