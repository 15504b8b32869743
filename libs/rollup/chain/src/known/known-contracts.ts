import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rollupFolder } from '@tetrad/rollup-circuits';
import { isHash, parseHash, type Hash } from '@tetrad/types';
import { z } from 'zod';
import { ArtifactError } from '../contract/artifact-error.js';

/**
 * Codes of all contracts of the release and of earlier ones that are still served, without which no client pays into a contract.
 * `test/known-contracts.scenario.test.ts` writes them from sources and circuits, and compares them.
 */
export const KNOWN_CONTRACTS_FILE = join(rollupFolder('chain'), 'known-contracts.json');

const hashSchema = z
  .string()
  .refine(isHash)
  .transform((text): Hash => parseHash(text));
const placesSchema = z.record(z.string(), z.array(z.int().min(0)).readonly()).readonly();
const codeSchema = z.strictObject({
  bytes: z.int().min(1),
  hash: hashSchema,
  words: placesSchema,
  addresses: placesSchema,
});
const librariesSchema = z.record(z.string(), codeSchema);

const rollupSchema = z.strictObject({
  /** How it is called in words. */
  version: z.string(),
  /** Whether its verifiers are those of the circuit with consents; with others its proofs of accounts would be of no state. */
  hasConsents: z.boolean(),
  /** What its constructor takes, as a tuple of the ABI with names. */
  takes: z.string(),
  /** What it is created with, before the arguments. */
  creation: codeSchema,
  /** What the chain has. */
  code: codeSchema,
  libraries: librariesSchema,
});

const verifierSchema = z.strictObject({
  size: z.int().min(1),
  kind: z.enum(['standard', 'optimized']),
  hasConsents: z.boolean(),
  /** Version of the circuit, and the SHA-256 of its verification key. */
  circuit: z.string(),
  verificationKey: hashSchema,
  code: codeSchema,
  libraries: librariesSchema,
});

export const knownContractsSchema = z.strictObject({
  rollups: z.array(rollupSchema),
  verifiers: z.array(verifierSchema),
});

export type KnownContracts = z.output<typeof knownContractsSchema>;
/** A contract of the rollup in one of its versions. */
export type KnownRollup = KnownContracts['rollups'][number];
/** A verifier of one size. */
export type KnownVerifier = KnownContracts['verifiers'][number];

/**
 * Reads the codes that ship.
 *
 * @returns those of every version
 * @throws ArtifactError when the file is not there, or is not of this form
 */
export async function loadKnownContracts(): Promise<KnownContracts> {
  try {
    return knownContractsSchema.parse(JSON.parse(await readFile(KNOWN_CONTRACTS_FILE, 'utf8')));
  } catch (error) {
    throw new ArtifactError(`${KNOWN_CONTRACTS_FILE} cannot be read`, { cause: error });
  }
}
