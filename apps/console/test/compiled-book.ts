import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Compiler {
  compile(input: string): string;
}

/** The standard output for contracts/Book.sol, as text; with storage layouts and code. */
export function compileBook(): string {
  const solc = createRequire(join(import.meta.dirname, '../../../libs/compilers/package.json'))(
    'solc',
  ) as Compiler;
  const content = readFileSync(join(import.meta.dirname, 'contracts/Book.sol'), 'utf8');
  const settings = {
    evmVersion: 'istanbul',
    // Its code is too long without.
    optimizer: { enabled: true, runs: 1 },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'storageLayout'] } },
  };
  return solc.compile(
    JSON.stringify({ language: 'Solidity', sources: { 'Book.sol': { content } }, settings }),
  );
}

interface Artifact {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
  readonly storageLayout: object;
}

/** The contract of a standard output. */
export const bookOf = (output: string): Artifact => {
  const { contracts } = JSON.parse(output) as { contracts: { 'Book.sol': { Book: Artifact } } };
  return contracts['Book.sol'].Book;
};
