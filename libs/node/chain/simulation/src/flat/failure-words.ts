import { FAILURE } from '@tetrad/node-evm';

/** Our texts, which are geth's → OpenEthereum's, which readers of flat traces compare with. Those it has no word for stay. */
const WORDS: ReadonlyMap<string, string> = new Map([
  [FAILURE.reverted, 'Reverted'],
  [FAILURE.outOfGas, 'Out of gas'],
  [FAILURE.codeStoreOutOfGas, 'Out of gas'],
  [FAILURE.maxCodeSize, 'Out of gas'],
  [FAILURE.invalidJump, 'Bad jump destination'],
  [FAILURE.returnDataBounds, 'Out of bounds'],
  [FAILURE.writeProtection, 'Mutable Call In Static Context'],
  [FAILURE.precompile, 'Built-in failed'],
]);

/** Beginnings of texts that name numbers too → OpenEthereum's text. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['stack underflow', 'Stack underflow'],
  ['stack limit reached', 'Out of stack'],
  ['invalid opcode', 'Bad instruction'],
];

/**
 * How OpenEthereum names a failure.
 * @param failure - of a frame, in geth's words
 */
export function wordsOfOpenEthereum(failure: string): string {
  const beginning = BEGINNINGS.find(([start]) => failure.startsWith(start));
  return WORDS.get(failure) ?? beginning?.[1] ?? failure;
}
