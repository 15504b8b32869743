import type { Account, ReceivedOrder } from '@tetrad/rollup-state';
import { isWanted, type WantedTokens } from './wanted-tokens.js';

/** What a holder asks the contract for next. */
export type RequestChoice =
  | { readonly kind: 'transfer'; readonly tokenId: number; readonly amount: bigint }
  | {
      readonly kind: 'redemption';
      readonly received: ReceivedOrder;
      /** How many earlier orders are lost if the operator makes it. */
      readonly passed: number;
    };

export interface RequestTerms {
  /** Token id → units that the contract holds. */
  readonly held: ReadonlyMap<number, bigint>;
  /** Smallest amount that the contract takes a request of. */
  readonly minDeposit: bigint;
  /** Orders of fewer units are nothing to the holder. */
  readonly minimum: bigint;
  /** What may be asked for. Orders of other tokens count as all others where they would be lost. */
  readonly tokens?: WantedTokens;
}

/** Earlier orders are passed when all of them together are worth less than this part of the one behind them. */
const DUST_PART = 100n;

interface Weighed {
  readonly choice: RequestChoice;
  /** Units, and units held of the token: the window is shorter for a larger part. */
  readonly amount: bigint;
  readonly held: bigint;
}

/**
 * Which operation to ask for: that of the largest part of its token, which is overdue first. An operator that serves it redeems past
 * earlier orders, which are lost then. So an order is asked for only if those before it that could be asked for as well are all
 * together a hundredth of it or less: a sender of dust cannot make a holder wait for it, and nothing worth more is given up.
 *
 * @param account - balances of the holder
 * @param orders - open ones, the earliest first
 * @param terms - what the contract holds and takes
 * @returns undefined when there is nothing that can be asked for
 */
export function chooseRequest(
  { balances }: Pick<Account, 'balances'>,
  orders: readonly ReceivedOrder[],
  terms: RequestTerms,
): RequestChoice | undefined {
  const candidates = [...transfersOf(balances, terms), ...redemptionsOf(orders, terms)];
  return candidates.reduce<Weighed | undefined>(
    (best, next) => (best === undefined || isLarger(next, best) ? next : best),
    undefined,
  )?.choice;
}

function transfersOf(balances: ReadonlyMap<number, bigint>, terms: RequestTerms): Weighed[] {
  return [...balances]
    .filter(([tokenId, amount]) => amount >= terms.minDeposit && isWanted(terms.tokens, tokenId))
    .map(([tokenId, amount]) => ({
      choice: { kind: 'transfer', tokenId, amount },
      amount,
      held: heldOf(terms, tokenId),
    }));
}

function redemptionsOf(orders: readonly ReceivedOrder[], terms: RequestTerms): Weighed[] {
  const least = terms.minimum > terms.minDeposit ? terms.minimum : terms.minDeposit;
  /** Token id → units of earlier orders that could be asked for. */
  const earlier = new Map<number, bigint>();
  return orders.flatMap((received, place) => {
    const { tokenId, amount } = received.order;
    const weight = { amount, held: heldOf(terms, tokenId) };
    const isCandidate = amount >= least && isWanted(terms.tokens, tokenId) && isDust(earlier, weight, terms);
    if (amount >= least) earlier.set(tokenId, (earlier.get(tokenId) ?? 0n) + amount);
    return isCandidate ? [{ ...weight, choice: { kind: 'redemption', received, passed: place } }] : [];
  });
}

/** In parts of what is held, so that orders of several tokens have one measure; each token for itself. */
function isDust(
  earlier: ReadonlyMap<number, bigint>,
  { amount, held }: Pick<Weighed, 'amount' | 'held'>,
  terms: RequestTerms,
): boolean {
  return [...earlier].every(([tokenId, sum]) => sum * DUST_PART * held <= amount * heldOf(terms, tokenId));
}

/** No less than 1: a contract that says that it holds nothing is wrong, and nothing is divided. */
const heldOf = ({ held }: RequestTerms, tokenId: number): bigint => held.get(tokenId) || 1n;

const isLarger = (one: Weighed, other: Weighed): boolean => one.amount * other.held > other.amount * one.held;
