import { keccak256 } from '@tetrad/crypto';
import { ZERO_ADDRESS, hexFromBytes, type Address } from '@tetrad/types';
import { sortValidators } from './bft-rules.js';
import type { HeaderFormat } from './messages/proposed-block.js';

export type ProposerPolicy = 'roundRobin' | 'sticky';

/**
 * The set in the order in which validators take turns.
 *
 * QBFT: ascending by bytes. IBFT: by the letters of the checksummed address, upper case before lower case.
 * Source: docs/spec/bft.md#proposers
 */
export function orderProposers(validators: readonly Address[], format: HeaderFormat): readonly Address[] {
  if (format === 'qbft') return sortValidators(validators);
  const texts = new Map(validators.map((one) => [one, checksumText(one)]));
  const textOf = (one: Address) => texts.get(one) ?? one;
  return [...validators].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/**
 * The proposer of a round.
 *
 * Source: docs/spec/bft.md#proposers
 *
 * @param ordered - from `orderProposers`, not empty
 * @param turn.lastAuthor - author of the parent, zero for block 0
 */
export function proposerOf(
  ordered: readonly Address[],
  turn: { readonly lastAuthor: Address; readonly round: number; readonly policy: ProposerPolicy },
): Address | undefined {
  const { lastAuthor, round, policy } = turn;
  const last = Math.max(ordered.indexOf(lastAuthor), 0);
  const step = policy === 'roundRobin' ? 1 : 0;
  const seed = lastAuthor === ZERO_ADDRESS ? round : last + round + step;
  return ordered[seed % ordered.length];
}

/** EIP-55: a letter is upper case when its digit of the Keccak-256 of the lower-case text is at least 8. */
function checksumText(address: Address): string {
  const letters = address.slice(2);
  const digits = hexFromBytes(keccak256(new TextEncoder().encode(letters))).slice(2);
  return [...letters]
    .map((letter, index) => (parseInt(digits[index] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter))
    .join('');
}
