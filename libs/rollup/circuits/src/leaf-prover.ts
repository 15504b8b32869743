import type { CompiledCircuit, Noir } from '@noir-lang/noir_js';
import { gunzipSync } from 'node:zlib';
import { WORD_BYTES, encodeWord, type Point } from '@tetrad/rollup-crypto';
import { CircuitError } from './circuit-cache.js';
import { loadLeafCircuit, type LeafCircuit } from './leaf-circuit.js';
import { openProverLibrary, unpack, type LibraryOptions, type ProverLibrary } from './prover-library.js';
import { WitnessError } from './solve-witness.js';

/** Leaves that one proof opens; of the circuit's `SIZE`. */
export const LEAVES_IN_PROOF = 64;
/** Longer than a proof of any circuit. */
const MAX_PROOF_BYTES = 2 ** 16;

/** An account at one moment, as its leaf has it, but for what the proof hides. */
export interface OpenedLeaf {
  readonly balancesRoot: bigint;
  readonly nonce: number;
  readonly redemptionIndex: number;
  /** 0 for none, and in a rollup without consents. */
  readonly consent: bigint;
  readonly leaf: bigint;
}

/** Moments of one account, 1 to `LEAVES_IN_PROOF`. */
export interface LeafStatement {
  readonly accountId: number;
  readonly publicKey: Point;
  readonly jointKeyHash: bigint;
  /** Whether leaves have nine words, or eight: as the layout of the contract says, and never the statement. */
  readonly hasConsents: boolean;
  readonly leaves: readonly OpenedLeaf[];
}

/**
 * Proves and checks what leaves of an account say, without its blinding factor: who has that tries amounts until the next leaf
 * fits, and reads on through all leaves of the account.
 */
export class LeafProver {
  private library: Promise<ProverLibrary> | undefined;

  private constructor(
    readonly circuit: LeafCircuit,
    private readonly options: LibraryOptions,
    private executor: Noir | undefined = undefined,
  ) {}

  /** @throws CircuitError when the build has made no circuit */
  static async open(options: LibraryOptions = {}): Promise<LeafProver> {
    return new LeafProver(await loadLeafCircuit(), options);
  }

  /**
   * Proves a statement.
   *
   * @param statement - what the leaves say
   * @param blindingFactor - of the account, which the proof hides
   * @returns the proof
   * @throws WitnessError when a leaf says something else; CircuitError when `bb` fails
   */
  async prove(statement: LeafStatement, blindingFactor: bigint): Promise<Uint8Array> {
    const inputs = { ...inputsOf(statement), blinding_factor: hexWord(blindingFactor) };
    const values = await this.solve(inputs);
    const { bytecode, verificationKey } = this.circuit;
    return this.run(
      async (library) => (await library.prove(unpack(bytecode), verificationKey, values)).proof,
    );
  }

  /**
   * Whether the proof is one of the statement.
   *
   * @param statement - with its leaves in the order in which they were proved
   * @param proof - from anywhere
   * @returns false for another statement
   * @throws CircuitError when `bb` fails, as it may for bytes that are not a proof
   */
  async verify(statement: LeafStatement, proof: Uint8Array): Promise<boolean> {
    if (proof.length % WORD_BYTES !== 0 || proof.length === 0 || proof.length > MAX_PROOF_BYTES) return false;
    const words = publicWords(statement).map(encodeWord);
    return this.run((library) => library.verify(this.circuit.verificationKey, words, proof));
  }

  /** Ends `bb`; the next request starts another. */
  async close(): Promise<void> {
    const library = this.library;
    this.library = undefined;
    await (await library?.catch(() => undefined))?.close();
  }

  private async solve(inputs: Record<string, string | string[]>): Promise<Uint8Array> {
    const { Noir: Executor } = await import('@noir-lang/noir_js');
    this.executor ??= new Executor(this.circuit as unknown as CompiledCircuit);
    try {
      return gunzipSync((await this.executor.execute(inputs)).witness);
    } catch (error) {
      throw new WitnessError(`a leaf is not what is said of it: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** What fails takes `bb` with it: it may have ended. */
  private async run<Result>(request: (library: ProverLibrary) => Promise<Result>): Promise<Result> {
    try {
      return await request(await (this.library ??= openProverLibrary(this.options)));
    } catch (error) {
      await this.close();
      throw new CircuitError(`the prover failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

const hexWord = (word: bigint) => `0x${word.toString(16)}`;

/** The last leaf fills what is left of the circuit. */
function columnsOf({ leaves }: LeafStatement) {
  const last = leaves.at(-1);
  if (last === undefined || leaves.length > LEAVES_IN_PROOF)
    throw new CircuitError(`a proof opens 1 to ${LEAVES_IN_PROOF} leaves, not ${leaves.length}`);
  const filled = Array.from({ length: LEAVES_IN_PROOF }, (_, index) => leaves[index] ?? last);
  return {
    balances_roots: filled.map(({ balancesRoot }) => balancesRoot),
    nonces: filled.map(({ nonce }) => BigInt(nonce)),
    redemption_indexes: filled.map(({ redemptionIndex }) => BigInt(redemptionIndex)),
    consents: filled.map(({ consent }) => consent),
    leaves: filled.map(({ leaf }) => leaf),
  };
}

function inputsOf(statement: LeafStatement): Record<string, string | string[]> {
  const { accountId, publicKey, jointKeyHash, hasConsents } = statement;
  const lists = Object.entries(columnsOf(statement)).map(([name, words]) => [name, words.map(hexWord)]);
  return {
    account_id: hexWord(BigInt(accountId)),
    public_key: [hexWord(publicKey.x), hexWord(publicKey.y)],
    joint_key_hash: hexWord(jointKeyHash),
    has_consents: hexWord(hasConsents ? 1n : 0n),
    ...(Object.fromEntries(lists) as Record<string, string[]>),
  };
}

/** In the order of the circuit's parameters. */
function publicWords(statement: LeafStatement): bigint[] {
  const { accountId, publicKey, jointKeyHash, hasConsents } = statement;
  const columns = Object.values(columnsOf(statement)).flat();
  const key = [publicKey.x, publicKey.y, jointKeyHash];
  return [BigInt(accountId), ...key, hasConsents ? 1n : 0n, ...columns];
}
