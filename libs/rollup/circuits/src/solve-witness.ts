import type { CompiledCircuit, Noir } from '@noir-lang/noir_js';
import { gunzipSync } from 'node:zlib';
import { TetradError } from '@tetrad/types';
import { circuitInputs, type BatchWitness } from './batch-witness.js';
import { CircuitError, type Circuit } from './circuit-cache.js';

/** A witness that does not satisfy the circuit; the message is what the circuit's constraint says. */
export class WitnessError extends TetradError {
  override readonly name = 'WitnessError';
  override readonly code = 'UNSATISFIED_CIRCUIT';
}

/** Executes the circuit of one size, for which it needs neither keys nor proving points. */
export class WitnessSolver {
  private constructor(
    private readonly size: number,
    private readonly hasConsents: boolean,
    private readonly noir: Noir,
  ) {}

  static async open({
    size,
    hasConsents,
    bytecode,
    abi,
  }: Pick<Circuit, 'size' | 'hasConsents' | 'bytecode' | 'abi'>): Promise<WitnessSolver> {
    // Loaded when it is wanted: most programs that know circuits execute none.
    const { Noir: Executor } = await import('@noir-lang/noir_js');
    return new WitnessSolver(size, hasConsents, new Executor({ bytecode, abi } as CompiledCircuit));
  }

  /**
   * All values of the circuit, as `bb` reads them. About 25 ms an operation.
   * @throws WitnessError when a constraint does not hold; CircuitError for a batch of another size
   */
  async solve(witness: BatchWitness): Promise<Uint8Array> {
    if (witness.operations.length !== this.size)
      throw new CircuitError(`the circuit is for ${this.size} operations, not ${witness.operations.length}`);
    if ((witness.hasConsents === true) !== this.hasConsents)
      throw new CircuitError(
        `the circuit is for contracts with${this.hasConsents ? '' : 'out'} consents, and the batch for others`,
      );
    try {
      const { witness: values } = await this.noir.execute(circuitInputs(witness));
      return gunzipSync(values);
    } catch (error) {
      throw new WitnessError(`the batch does not satisfy the circuit: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
