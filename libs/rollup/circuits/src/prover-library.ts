import type { Barretenberg } from '@aztec/bb.js';
import { gunzipSync } from 'node:zlib';
import { WORD_BYTES } from '@tetrad/rollup-crypto';
import { CircuitError } from './circuit-cache.js';
import { makeBbFolder, pointsFolderOf, removeBbFolder } from './points/bb-folder.js';
import { assertPinnedPoints } from './points/points-file.js';
import { startBb } from './start-bb.js';

/** UltraHonk with zero knowledge and Keccak transcripts: what `bb … -t evm` means, for verifiers on Ethereum. */
export const PROVER_SETTINGS = {
  ipaAccumulation: false,
  oracleHashType: 'keccak',
  disableZk: false,
  optimizedSolidityVerifier: false,
};

/** `standard` runs on every chain since Berlin; `optimized` is assembly that needs Cancun (MCOPY). */
export type VerifierKind = 'standard' | 'optimized';

export interface Proof {
  readonly proof: Uint8Array;
  /** 32 bytes each. */
  readonly publicInputs: readonly bigint[];
}

/** The `bb` program, running as a child process that ends with this one. */
export class ProverLibrary {
  constructor(
    readonly api: Barretenberg,
    /** Folder of its points: its own, and removed when it is closed. */
    readonly folder: string,
  ) {}

  async gates(bytecode: string): Promise<number> {
    const circuit = { name: 'batch', bytecode: unpack(bytecode), verificationKey: new Uint8Array() };
    const settings = PROVER_SETTINGS;
    return (await this.api.circuitStats({ circuit, includeGatesPerOpcode: false, settings })).numGates;
  }

  async verificationKey(bytecode: string): Promise<Uint8Array> {
    const circuit = { name: 'batch', bytecode: unpack(bytecode) };
    return (await this.api.circuitComputeVk({ circuit, settings: PROVER_SETTINGS })).bytes;
  }

  /** Both kinds check the same proofs with the same key. */
  async solidityVerifier(verificationKey: Uint8Array, kind: VerifierKind): Promise<string> {
    const settings = { ...PROVER_SETTINGS, optimizedSolidityVerifier: kind === 'optimized' };
    return (await this.api.circuitWriteSolidityVerifier({ verificationKey, settings })).solidityCode;
  }

  /**
   * @param bytecode - of the circuit
   * @param verificationKey - of the circuit
   * @param witness - satisfies the circuit
   */
  async prove(bytecode: Uint8Array, verificationKey: Uint8Array, witness: Uint8Array): Promise<Proof> {
    const circuit = { name: 'batch', bytecode, verificationKey };
    const made = await this.api.circuitProve({ circuit, witness, settings: PROVER_SETTINGS });
    return {
      proof: Buffer.concat(made.proof),
      publicInputs: made.publicInputs.map((word) => BigInt(`0x${Buffer.from(word).toString('hex')}`)),
    };
  }

  async verify(
    verificationKey: Uint8Array,
    publicInputs: readonly Uint8Array[],
    proof: Uint8Array,
  ): Promise<boolean> {
    const words = Array.from({ length: proof.length / WORD_BYTES }, (_, index) =>
      proof.subarray(WORD_BYTES * index, WORD_BYTES * (index + 1)),
    );
    const answer = await this.api.circuitVerify({
      verificationKey,
      publicInputs: [...publicInputs],
      proof: words,
      settings: PROVER_SETTINGS,
    });
    return answer.verified;
  }

  async close(): Promise<void> {
    await this.api.destroy();
    await removeBbFolder(this.folder);
  }
}

export const unpack = (bytecode: string): Uint8Array => gunzipSync(Buffer.from(bytecode, 'base64'));

export interface LibraryOptions {
  /** How many threads it may use; all cores by default. */
  readonly threads?: number | undefined;
  /** Folder of the proving points; by default that of CRS_PATH, or the one that ships. */
  readonly pointsFolder?: string | undefined;
}

/**
 * Starts `bb`.
 * @throws CircuitError when there is no `bb` for this host, or the points are not those of the ceremony
 */
export async function openProverLibrary({
  threads,
  pointsFolder,
}: LibraryOptions = {}): Promise<ProverLibrary> {
  const points = pointsFolderOf(pointsFolder);
  await assertPinnedPoints(points);
  const folder = await makeBbFolder(points);
  try {
    return new ProverLibrary(await startBb(folder, threads), folder);
  } catch (error) {
    await removeBbFolder(folder);
    throw new CircuitError(`the prover cannot be started: ${(error as Error).message}`, { cause: error });
  }
}
