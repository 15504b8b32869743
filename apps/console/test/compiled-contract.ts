import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Compiler {
  compile(input: string): string;
}

/** A contract of the folder contracts. */
export type TestContract = 'Book' | 'Gallery' | 'Token';

/**
 * The standard JSON input for a contract of the folder contracts.
 * @param name - of the contract and its file
 */
export function standardInput(name: TestContract): string {
  const content = readFileSync(join(import.meta.dirname, `contracts/${name}.sol`), 'utf8');
  const settings = {
    evmVersion: 'istanbul',
    // The code of Book is too long without.
    optimizer: { enabled: true, runs: 1 },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'storageLayout'] } },
  };
  return JSON.stringify({ language: 'Solidity', sources: { [`${name}.sol`]: { content } }, settings });
}

/** The standard output for it, as text; with storage layouts and code. */
export function compileContract(name: TestContract): string {
  const solc = createRequire(join(import.meta.dirname, '../../../libs/compilers/package.json'))(
    'solc',
  ) as Compiler;
  return solc.compile(standardInput(name));
}

interface Artifact {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
  readonly storageLayout: object;
}

/** The contract of a standard output with one. */
export function artifactOf(output: string): Artifact {
  const { contracts } = JSON.parse(output) as { contracts: Record<string, Record<string, Artifact>> };
  const [artifact] = Object.values(contracts).flatMap((file) => Object.values(file));
  if (artifact === undefined) throw new Error('the compiler made no contract');
  return artifact;
}
