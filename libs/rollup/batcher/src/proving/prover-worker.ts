import type { Database } from '@tetrad/db';
import { publicInputWords, type BatchWitness, type Proof } from '@tetrad/rollup-circuits';
import type { StoredBatch, RollupStore } from '@tetrad/rollup-store';
import { TetradError, type Counter, type Histogram, type Logger, type Metrics } from '@tetrad/types';
import { provingLease, whileLeased } from './heartbeat.js';
import type { ProofJob, ProofQueue } from './proof-queue.js';

export interface ProverParts {
  readonly database: Database;
  readonly store: RollupStore;
  readonly queue: ProofQueue;
  /** Fails when the witness does not satisfy the circuit, and when the prover does not answer. */
  readonly prove: (witness: BatchWitness) => Promise<Proof>;
  /** Reads what the row of a batch holds for its proof. */
  readonly readWitness: (proving: Uint8Array) => BatchWitness;
  /** Different for each process. */
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the prover made is not about the batch that it was given. */
class ProofMismatchError extends TetradError {
  override readonly name = 'ProofMismatchError';
  override readonly code = 'PROOF_MISMATCH';
}

/**
 * Proves the batches whose jobs it takes from the queues, of each size one after the other. Any number of processes may have one.
 */
export class ProverWorker {
  private readonly seconds: Histogram;
  private readonly failures: Counter;
  /** Size → why its last job failed. */
  private readonly lastFailures = new Map<number, string>();

  constructor(private readonly parts: ProverParts) {
    this.seconds = parts.metrics.histogram(
      'rollup_proof_seconds',
      'Time that a proof took, witness included',
      [],
      [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256],
    );
    this.failures = parts.metrics.counter(
      'rollup_proof_failures_total',
      'Proofs that failed; their batches went back to the queue',
    );
  }

  /** Why the last job of a size failed; undefined when none did. */
  get failure(): string | undefined {
    const [failure] = this.lastFailures.values();
    return failure;
  }

  /**
   * Takes a job and does it.
   *
   * @param size - of the batch; calls for several sizes may be under way at a time
   * @returns false when there was none
   * @throws as the job did, which is given back
   */
  async step(size: number): Promise<boolean> {
    const { queue, name } = this.parts;
    const job = await queue.take(size);
    if (job === undefined) return false;
    const { height } = job;
    try {
      await whileLeased(this.parts, { name: provingLease(height), holder: name }, () => this.prove(job));
      this.lastFailures.delete(size);
    } catch (error) {
      this.lastFailures.set(size, `batch ${height}: ${(error as Error).message}`);
      this.failures.increment();
      await queue.giveBack(job, (error as Error).message);
      throw error;
    }
    return true;
  }

  /** Proves and stores. A batch that has its proof, is gone, or was made again in another size has no job here any more. */
  private async prove(job: ProofJob): Promise<void> {
    const { store, queue, readWitness } = this.parts;
    const { height, size } = job;
    const batch = await store.findBatch(height);
    const proving = await store.readProving(height);
    const isOfSize = size === undefined || batch?.size === size;
    if (batch !== undefined && proving !== undefined && isUnproven(batch) && isOfSize) {
      await store.changeBatch({ height, from: 'sealed' }, { state: 'proving' });
      const { proof } = await this.timed(readWitness(proving));
      await this.keep(height, batch, proof);
    }
    await queue.remove(job);
  }

  private async timed(witness: BatchWitness): Promise<Proof> {
    const from = performance.now();
    const made = await this.parts.prove(witness);
    this.seconds.observe((performance.now() - from) / 1_000);
    const expected = publicInputWords(witness.publicInputs);
    const isAbout =
      made.publicInputs.length === expected.length &&
      expected.every((word, index) => word === made.publicInputs[index]);
    if (!isAbout) throw new ProofMismatchError('the proof is about other public inputs than the batch');
    return made;
  }

  /** Nothing is stored when the batch was removed meanwhile and built again: its roots differ then. */
  private async keep(height: number, proved: StoredBatch, proof: Uint8Array): Promise<void> {
    const { store, logger } = this.parts;
    const place = { height, from: 'proving' as const, stateRoot: proved.roots?.state };
    const isStored = await store.changeBatch(place, { state: 'proven', proof });
    if (isStored) logger.info('batch proved', { height });
  }
}

function isUnproven({ state }: StoredBatch): boolean {
  return state === 'sealed' || state === 'proving';
}
