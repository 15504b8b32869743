import type { BatchWitness } from './batch-witness.js';
import type { Proof } from './prover-library.js';
import { BatchProver, type ProverOptions } from './prover.js';

/** A prover for each size of batches, with consents or without, opened when it is wanted first. */
export class SizedProvers {
  private readonly provers = new Map<string, Promise<BatchProver>>();

  constructor(private readonly options: Omit<ProverOptions, 'size' | 'hasConsents'> = {}) {}

  /**
   * The prover of one size.
   *
   * @param size - of batches
   * @param hasConsents - false for contracts without consents
   * @returns the prover, which stays open
   * @throws CircuitError when there is no such circuit
   */
  async open(size: number, hasConsents = true): Promise<BatchProver> {
    const name = `${size}/${hasConsents}`;
    const opening = this.provers.get(name) ?? BatchProver.open({ ...this.options, size, hasConsents });
    this.provers.set(name, opening);
    try {
      return await opening;
    } catch (error) {
      this.provers.delete(name);
      throw error;
    }
  }

  /**
   * @param witness - a witness of any size
   * @throws as BatchProver.prove
   */
  async prove(witness: BatchWitness): Promise<Proof> {
    return (await this.open(witness.operations.length, witness.hasConsents === true)).prove(witness);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const provers = await Promise.allSettled(this.provers.values());
    for (const prover of provers) if (prover.status === 'fulfilled') await prover.value.close();
  }
}
