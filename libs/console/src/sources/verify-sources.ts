import { RefusedRequest } from '../calls.js';
import { compareCode, compilerOf, type CodeMatch } from './compare-code.js';
import type { SourceCompiler } from './source-compiler.js';
import { parseStandardInput } from './standard-input.js';

/** Contracts with the same code that are named. */
const MAX_MATCHES = 10;

/** What sources say of the code of an account. */
export interface Verification {
  /** Version of the compiler, as it names itself. */
  readonly compiler: string;
  /** Contracts whose code it is, exact ones first. */
  readonly matches: readonly {
    readonly file: string;
    readonly contract: string;
    readonly match: CodeMatch;
    readonly abi: readonly unknown[];
  }[];
  /** Version of the compiler that made the code of the account, by its metadata, where that says it. */
  readonly madeBy?: string;
}

/**
 * Compiles a standard JSON input and compares every contract of it with the code.
 * @param options.code - of the account, hex with 0x
 * @param options.text - the input
 * @throws RefusedRequest for an account without code, for invalid input, and as `SourceCompiler`
 */
export async function verifySources(
  { code, text }: { readonly code: string; readonly text: string },
  compiler: Pick<SourceCompiler, 'compile'>,
): Promise<Verification> {
  if (code === '0x') throw new RefusedRequest(404, 'the account has no code at this node');
  const { version, contracts } = await compiler.compile(parseStandardInput(text));
  const matches = contracts.flatMap((contract) => {
    const match = compareCode(code, contract);
    if (match === undefined) return [];
    const { file, name, abi } = contract;
    return [{ file, contract: name, match, abi }];
  });
  const sorted = matches.toSorted(
    (one, other) => Number(other.match === 'exact') - Number(one.match === 'exact'),
  );
  const madeBy = compilerOf(code);
  return {
    compiler: version,
    matches: sorted.slice(0, MAX_MATCHES),
    ...(madeBy === undefined ? {} : { madeBy }),
  };
}
