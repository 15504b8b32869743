import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  FAILURE_PAUSE_MS,
  HEARTBEAT_MS,
  POLL_MS,
  ProofQueue,
  ProverWorker,
  WorkLoop,
  announceProver,
} from '@tetrad/rollup-batcher';
import { CircuitError, SizedProvers, assertEnoughPoints } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import type { ServiceEnvironment } from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import { batchSizesOf } from '../batch-sizes.js';
import type { OperatorConfig } from '../config.js';
import type { OpenRollup } from '../open-rollup.js';
import type { RunningRole } from './running-role.js';

/**
 * Opens a prover for each size of a configuration.
 *
 * @param config - which sizes, with which points
 * @param hasConsents - whether the contract has consents, whose circuit is another one
 * @returns the provers, which open that of the other circuit when a batch needs it
 * @throws OperatorError for a size that has no circuit, or too few proving points
 */
export async function openProvers(
  config: Pick<OperatorConfig, 'proverThreads' | 'pointsDir' | 'batchSize' | 'batchSizes'>,
  hasConsents = true,
): Promise<SizedProvers> {
  const { proverThreads: threads, pointsDir: pointsFolder } = config;
  const sizes = batchSizesOf(config);
  const provers = new SizedProvers({ threads, pointsFolder });
  try {
    await assertEnoughPoints(sizes, pointsFolder);
    for (const size of sizes) await provers.open(size, hasConsents);
    return provers;
  } catch (error) {
    if (error instanceof CircuitError) throw new OperatorError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Proves batches, of each size one at a time on all its threads: a small one does not wait for the end of a large one. Any number of processes may.
 */
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
  // Until a batcher has read the contract, it is taken for one of those that are deployed now.
  const provers = await openProvers(config, (await store.findConsents()) ?? true);
  const queue = await ProofQueue.open(database, logger);
  const worker = new ProverWorker({
    database,
    store,
    queue,
    logger,
    metrics,
    name: `${hostname()}/${randomUUID()}`,
    prove: (witness) => provers.prove(witness),
    readWitness: (proving) => decodeProvingInput(proving).witness,
  });
  const loops = workLoops(batchSizesOf(config), { worker, database, logger });
  for (const loop of loops) loop.start();
  const failureOf = () => loops.map(({ failure }) => failure).find((failure) => failure !== undefined);
  return {
    readiness: { prover: { class: 'rollout', check: () => worker.failure ?? failureOf() } },
    async stop() {
      // A proof that is under way is given up: another prover, or this one when it is back, makes it.
      const stopped = Promise.all(loops.map((loop) => loop.stop()));
      await provers.close();
      await stopped;
      await queue.close();
    },
  };
}

/** One for each size, and one that tells the batcher that this prover lives. */
function workLoops(
  sizes: ReturnType<typeof batchSizesOf>,
  {
    worker,
    database,
    logger,
  }: Pick<OpenRollup, 'database'> & Pick<ServiceEnvironment, 'logger'> & { readonly worker: ProverWorker },
): WorkLoop[] {
  const timing = { clock: systemClock, logger, failureMs: FAILURE_PAUSE_MS };
  const proving = sizes.map(
    (size) =>
      new WorkLoop({ name: `prove batches of ${size}`, pollMs: POLL_MS, ...timing }, () => worker.step(size)),
  );
  const announcing = new WorkLoop({ name: 'announce', pollMs: HEARTBEAT_MS, ...timing }, async () => {
    await announceProver(database, sizes);
    return false;
  });
  return [...proving, announcing];
}
