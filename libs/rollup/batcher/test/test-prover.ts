import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@tetrad/db';
import { SizedProvers } from '@tetrad/rollup-circuits';
import { decodeProvingInput } from '@tetrad/rollup-sequencer';
import type { RollupStore } from '@tetrad/rollup-store';
import { silentLogger, silentMetrics, systemClock } from '@tetrad/types';
import { statedProof } from '../../chain/test/stated-proofs.js';
import { WorkLoop } from '../src/index.js';
import { ProofQueue } from '../src/proving/proof-queue.js';
import { ProverWorker } from '../src/proving/prover-worker.js';

/** What a prover makes: proofs, or statements, which the contract takes for proofs and which need little of a processor. */
export interface Proving {
  readonly kind: 'statements' | 'proofs';
  /** How long a statement takes at least, in ms. */
  readonly takesMs?: number;
}

const STATEMENTS: Proving = { kind: 'statements' };
export const PROOFS: Proving = { kind: 'proofs' };

/**
 * A prover of the batches in a database, in this process.
 *
 * @param store - the rows
 * @param database - of the rows
 * @param size - of its batches
 * @param proving - what it makes
 * @returns what ends it
 */
export async function startProver(
  store: RollupStore,
  database: Database,
  size: number,
  { kind, takesMs = 0 }: Proving = STATEMENTS,
): Promise<{ stop(): Promise<void> }> {
  // One after the other: loading the prover holds up everything else, and connections may not be held up for long.
  const queue = await ProofQueue.open(database, silentLogger);
  const provers = new SizedProvers();
  const worker = new ProverWorker({
    database,
    store,
    queue,
    logger: silentLogger,
    metrics: silentMetrics,
    name: randomUUID(),
    prove: async (witness) => {
      if (kind === 'proofs') return provers.prove(witness);
      await pause(takesMs);
      return statedProof(provers, witness);
    },
    readWitness: (proving) => decodeProvingInput(proving).witness,
  });
  const loop = new WorkLoop(
    { name: 'prove', clock: systemClock, logger: silentLogger, pollMs: 50, failureMs: 200 },
    () => worker.step(size),
  );
  loop.start();
  const stop = async () => {
    await loop.stop();
    await provers.close();
    await queue.close();
  };
  return { stop: once(stop) };
}

/** Ends once, however often it is asked. */
export function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
