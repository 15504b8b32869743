import { WORD_BYTES, encodeWord } from '@tetrad/rollup-crypto';
import type { BatchWitness } from './batch-witness.js';
import { CircuitError, loadCircuit, type Circuit } from './circuit-cache.js';
import {
  openProverLibrary,
  unpack,
  type LibraryOptions,
  type Proof,
  type ProverLibrary,
} from './prover-library.js';
import { publicInputWords, type PublicInputs } from './public-inputs.js';
import { WitnessSolver } from './solve-witness.js';

export interface ProverOptions extends LibraryOptions {
  readonly size: number;
  /** False for batches of contracts without consents. */
  readonly hasConsents?: boolean;
  /** Time after which a proof or a check is given up and `bb` restarted, in ms. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Proves and checks batches of one size. Proofs are made one after the other, on the threads that `bb` has; several of
 * these may run side by side.
 */
export class BatchProver {
  private readonly bytecode: Uint8Array;
  private library: Promise<ProverLibrary> | undefined;
  /** What ends the requests that are under way, because `bb` does not answer them any more. */
  private readonly pending = new Set<(error: Error) => void>();

  private constructor(
    readonly circuit: Circuit,
    private readonly solver: WitnessSolver,
    private readonly options: ProverOptions,
  ) {
    this.bytecode = unpack(circuit.bytecode);
  }

  /** @throws CircuitError when the build has made no circuit of that size */
  static async open(options: ProverOptions): Promise<BatchProver> {
    const circuit = await loadCircuit(options.size, options.hasConsents);
    return new BatchProver(circuit, await WitnessSolver.open(circuit), options);
  }

  /**
   * Executes the circuit.
   * @returns all its values, as `bb` reads them
   * @throws as WitnessSolver.solve
   */
  execute(witness: BatchWitness): Promise<Uint8Array> {
    return this.solver.solve(witness);
  }

  /** @throws WitnessError; CircuitError when `bb` ends or does not answer in time */
  async prove(witness: BatchWitness): Promise<Proof> {
    const values = await this.execute(witness);
    return this.run((library) => library.prove(this.bytecode, this.circuit.verificationKey, values));
  }

  /** Whether the proof is one of this circuit for these public inputs. */
  async verify(inputs: PublicInputs, proof: Uint8Array): Promise<boolean> {
    if (proof.length % WORD_BYTES !== 0) return false;
    const words = publicInputWords(inputs).map(encodeWord);
    return this.run((library) => library.verify(this.circuit.verificationKey, words, proof));
  }

  /** Ends `bb`, and with it what is under way. The next request starts another. */
  async close(): Promise<void> {
    const library = this.library;
    this.library = undefined;
    for (const fail of this.pending) fail(new CircuitError('it was closed'));
    await (await library?.catch(() => undefined))?.close();
  }

  /** Runs one request; one that fails takes `bb` with it, so that the next begins with a new process. */
  private async run<Result>(request: (library: ProverLibrary) => Promise<Result>): Promise<Result> {
    const library = (this.library ??= openProverLibrary(this.options));
    const timeoutMs = this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    let fail: (error: Error) => void = () => undefined;
    const failure = new Promise<never>((_, reject) => (fail = reject));
    const timer = setTimeout(() => fail(new CircuitError(`no answer in ${timeoutMs} ms`)), timeoutMs);
    this.pending.add(fail);
    try {
      return await Promise.race([library.then(request), failure]);
    } catch (error) {
      this.pending.delete(fail);
      // Another one that failed may have ended this `bb` already, and a new one may be running.
      if (this.library === library) await this.close();
      throw new CircuitError(`the prover failed: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
      this.pending.delete(fail);
    }
  }
}
