import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { TetradError } from '@tetrad/types';

/** A circuit of one size with the keys that belong to it. Version, key and verifier always come together. */
export interface Circuit {
  /** Operations in a batch. */
  readonly size: number;
  /** Whether it is that of contracts with consents (docs/adr/0253), or the one before. */
  readonly hasConsents: boolean;
  /** Hash of sources, compiler and prover versions: another version means other keys and another verifier. */
  readonly version: string;
  /** ACIR, gzip. */
  readonly bytecode: string;
  /** Interface of `main`. */
  readonly abi: unknown;
  readonly verificationKey: Uint8Array;
  /** Solidity source of the contract that verifies its proofs. */
  readonly verifier: string;
  /** As `verifier`, for the same key and proofs, in assembly for chains since Cancun: a fifth of the gas. */
  readonly optimizedVerifier: string;
  readonly gates: number;
}

/** A circuit is not there, or cannot be made; the message says what to do. */
export class CircuitError extends TetradError {
  override readonly name = 'CircuitError';
  override readonly code = 'CIRCUIT_UNAVAILABLE';
}

const PACKAGE = rollupFolder('circuits');
/** Noir sources of the batch circuit. */
export const SOURCES = join(PACKAGE, 'batch');
/** What the circuit of contracts without consents has of its own; the rest is that of the other one. */
export const EARLIER_SOURCES = join(PACKAGE, 'earlier-batch');
/** Proving points (srs/ORIGIN.md); `bb` reads their folder from CRS_PATH. */
export const SRS_FOLDER = join(PACKAGE, 'srs');
/** What the build makes. */
export const ARTIFACTS = join(PACKAGE, 'artifacts');
/** Noir sources of the circuit that opens leaves. */
export const LEAVES_SOURCES = join(PACKAGE, 'leaves');

const storedSchema = z.object({
  size: z.int(),
  version: z.string(),
  bytecode: z.string(),
  abi: z.unknown(),
  verificationKey: z.string(),
  verifier: z.string(),
  optimizedVerifier: z.string(),
  gates: z.int(),
});

const fileOf = (size: number, hasConsents: boolean) => `${hasConsents ? '' : 'earlier-'}batch-${size}.json`;
const pathOf = (size: number, hasConsents: boolean) => join(ARTIFACTS, fileOf(size, hasConsents));

/** @returns undefined when the build has made none, or has made it in an earlier form */
export async function readCircuit(size: number, hasConsents = true): Promise<Circuit | undefined> {
  const text = await readFile(pathOf(size, hasConsents), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { data: stored } = storedSchema.safeParse(JSON.parse(text));
  if (stored === undefined) return undefined;
  return { ...stored, hasConsents, verificationKey: Buffer.from(stored.verificationKey, 'base64') };
}

/**
 * The circuit that the build made.
 *
 * @param size - of its batches
 * @param hasConsents - false for that of contracts without consents
 * @returns it with its keys
 * @throws CircuitError when there is none
 */
export async function loadCircuit(size: number, hasConsents = true): Promise<Circuit> {
  const circuit = await readCircuit(size, hasConsents);
  if (circuit === undefined)
    throw new CircuitError(
      `no circuit for batches of ${size}${hasConsents ? '' : ' of contracts without consents'}; run the build`,
    );
  return circuit;
}

/** Sizes of the circuits that are there, also of those that were made of other sources. */
export async function listCircuits(hasConsents = true): Promise<number[]> {
  const names = await readdir(ARTIFACTS).catch(() => []);
  const sizes = names
    .filter((name) => name.startsWith('earlier-') !== hasConsents)
    .map((name) => Number(/^(?:earlier-)?batch-(\d+)\.json$/.exec(name)?.[1]));
  return sizes.filter((size) => !Number.isNaN(size)).sort((one, other) => one - other);
}

export async function removeCircuit(size: number, hasConsents: boolean): Promise<void> {
  await rm(pathOf(size, hasConsents), { force: true });
}

/** Stores a circuit whole or not at all: others may be reading, or building the same. */
export async function writeCircuit(circuit: Circuit): Promise<void> {
  const verificationKey = Buffer.from(circuit.verificationKey).toString('base64');
  const { hasConsents, ...stored } = circuit;
  await writeArtifact(pathOf(circuit.size, hasConsents), JSON.stringify({ ...stored, verificationKey }));
}

/** Writes what the build made, whole or not at all. */
export async function writeArtifact(path: string, text: string): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true });
  const temporary = join(ARTIFACTS, `.${basename(path)}-${process.pid}.tmp`);
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** @param parts - everything that the circuit follows from */
export function circuitVersion(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/**
 * A folder of what the build made, below the root of the repository or of an image: the nearest one above this module, which
 * is in `src`, in `dist` or part of a bundle.
 */
export function rollupFolder(library: 'circuits' | 'chain'): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, 'libs', 'rollup', library);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder)
      throw new Error(`there is no folder libs/rollup/${library} above ${import.meta.dirname}`);
  }
}
