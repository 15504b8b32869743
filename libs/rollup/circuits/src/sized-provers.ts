import type { BatchWitness } from './batch-witness.js';
import type { Proof } from './prover-library.js';
import { BatchProver, type ProverOptions } from './prover.js';

/** A prover for each size of batches, opened when it is wanted first. */
export class SizedProvers {
  private readonly provers = new Map<number, Promise<BatchProver>>();

  constructor(private readonly options: Omit<ProverOptions, 'size'> = {}) {}

  /** Fails: CircuitError when there is no circuit of that size */
  async open(size: number): Promise<BatchProver> {
    const opening = this.provers.get(size) ?? BatchProver.open({ ...this.options, size });
    this.provers.set(size, opening);
    try {
      return await opening;
    } catch (error) {
      this.provers.delete(size);
      throw error;
    }
  }

  /** In: a witness of any size. Fails: as BatchProver.prove */
  async prove(witness: BatchWitness): Promise<Proof> {
    return (await this.open(witness.operations.length)).prove(witness);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const provers = await Promise.allSettled(this.provers.values());
    for (const prover of provers) if (prover.status === 'fulfilled') await prover.value.close();
  }
}
