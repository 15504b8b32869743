import { MemoryState, applyBatch } from '@tetrad/rollup-state';
import { openProvers } from '../roles/prover.js';

export interface MeasuredProver {
  readonly proverThreads: number | undefined;
  readonly pointsDir: string | undefined;
}

const MS = 1_000;

/**
 * Measures a prover on this machine. An empty batch takes as long as a full one: the circuit has one size.
 *
 * @param batchSize - operations of the batch
 * @param prover - as the role prover takes them
 * @returns seconds for a proof, its witness and all
 * @throws OperatorError for a size without a circuit, or with too few proving points
 */
export async function measureProof(batchSize: number, prover: MeasuredProver): Promise<number> {
  const provers = await openProvers({ ...prover, batchSize, batchSizes: [batchSize] });
  try {
    const state = new MemoryState();
    const { witness } = applyBatch(state, { ...state.next, size: batchSize, domain: 1n }, []);
    // The first one compiles code.
    await provers.prove(witness);
    const from = performance.now();
    await provers.prove(witness);
    return (performance.now() - from) / MS;
  } finally {
    await provers.close();
  }
}
