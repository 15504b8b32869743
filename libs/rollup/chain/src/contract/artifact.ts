import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keccak256 } from '@tetrad/crypto';
import { rollupFolder } from '@tetrad/rollup-circuits';
import { hexFromBytes, type Address } from '@tetrad/types';
import { z } from 'zod';
import { ArtifactError } from './artifact-error.js';

const FOLDER = join(rollupFolder('chain'), 'artifacts');
const artifactSchema = z.object({
  abi: z.array(z.looseObject({})),
  bytecode: z.string(),
  deployedBytecode: z.string(),
  immutables: z.record(z.string(), z.array(z.int())),
});

/** @throws ArtifactError when the build has made none */
export async function loadContract(name: string): Promise<z.output<typeof artifactSchema>> {
  const text = await readFile(join(FOLDER, `${name}.json`), 'utf8').catch(() => undefined);
  if (text === undefined) throw new ArtifactError(`contract ${name} not found; run the build`);
  return artifactSchema.parse(JSON.parse(text));
}

/** Address of a library that a contract calls, and the file that it is in. */
export interface Library {
  readonly name: string;
  readonly file: string;
  readonly address: Address;
}

/**
 * Code of a contract with the addresses of its libraries in it.
 * @throws ArtifactError when the build has made none, or a library is missing
 */
export async function loadLinked(contract: string, libraries: readonly Library[]): Promise<string> {
  const linked = linkedCode((await loadContract(contract)).bytecode, libraries);
  if (linked.includes('__$')) throw new ArtifactError(`${contract} needs a library that is not known`);
  return linked;
}

export function linkedCode(bytecode: string, libraries: readonly Library[]): string {
  return libraries.reduce(
    (code, { name, file, address }) => code.replaceAll(linkPlaceholder(`${file}:${name}`), address.slice(2)),
    bytecode,
  );
}

/** Solidity documentation, "Library linking": `__$`, 34 digits of the hash of `file:name`, `$__`. */
export function linkPlaceholder(name: string): string {
  return `__$${hexFromBytes(keccak256(Buffer.from(name))).slice(2, 36)}$__`;
}
