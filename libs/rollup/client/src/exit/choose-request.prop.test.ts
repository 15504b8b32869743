import { describe, expect, it } from '@jest/globals';
import type { ReceivedOrder } from '@tetrad/rollup-state';
import fc from 'fast-check';
import { chooseRequest, type RequestTerms } from './choose-request.js';

const TOKENS = [0, 1, 2];
const amounts = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 2n ** 63n }));
const tokens = fc.constantFrom(...TOKENS);
const ordersOf = (list: readonly (readonly [tokenId: number, amount: bigint])[]) =>
  list.map(([tokenId, amount], index): ReceivedOrder => ({
    totalIndex: index + 1,
    order: { fromAccountId: 2, toAccountId: 1, tokenId, amount, blindingFactor: 5n },
  }));
const orders = fc.array(fc.tuple(tokens, amounts), { maxLength: 30 }).map(ordersOf);
const balances = fc.array(fc.tuple(tokens, amounts), { maxLength: 3 }).map((pairs) => new Map(pairs));
const wanted = fc.option(
  fc.subarray(TOKENS).map((ids) => new Set(ids)),
  { nil: undefined },
);
const terms = fc.record({
  held: fc
    .tuple(...TOKENS.map(() => fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })))
    .map((held) => new Map(held.map((amount, tokenId) => [tokenId, amount]))),
  minDeposit: fc.bigInt({ min: 1n, max: 10n }),
  minimum: fc.bigInt({ min: 0n, max: 30n }),
});

const heldOf = ({ held }: RequestTerms, tokenId: number) => held.get(tokenId) as bigint;
const leastOf = ({ minimum, minDeposit }: RequestTerms) => (minimum > minDeposit ? minimum : minDeposit);

describe('what is asked for next', () => {
  it('is something whenever there is something that the contract takes', () => {
    fc.assert(
      fc.property(balances, orders, terms, (held, received, given) => {
        const canAsk =
          [...held.values()].some((amount) => amount >= given.minDeposit) ||
          received.some(({ order }) => order.amount >= leastOf(given));
        expect(chooseRequest({ balances: held }, received, given) !== undefined).toBe(canAsk);
      }),
    );
  });

  it('is taken by the contract, and is what the account has', () => {
    fc.assert(
      fc.property(balances, orders, terms, (held, received, given) => {
        const choice = chooseRequest({ balances: held }, received, given);
        if (choice?.kind === 'transfer') {
          expect(choice.amount).toBe(held.get(choice.tokenId));
          expect(choice.amount >= given.minDeposit).toBe(true);
        } else if (choice !== undefined) {
          expect(received[choice.passed]).toBe(choice.received);
          expect(choice.received.order.amount >= leastOf(given)).toBe(true);
        }
      }),
    );
  });

  it('is overdue before every balance, and before the first order that can be asked for', () => {
    fc.assert(
      fc.property(balances, orders, terms, (held, received, given) => {
        const choice = chooseRequest({ balances: held }, received, given);
        const { tokenId, amount } =
          choice?.kind === 'redemption' ? choice.received.order : (choice ?? NOTHING);
        const isSooner = (other: { tokenId: number; amount: bigint }) =>
          other.amount * heldOf(given, tokenId) > amount * heldOf(given, other.tokenId);
        const first = received.find(({ order }) => order.amount >= leastOf(given));
        const others = [...held]
          .map(([id, units]) => ({ tokenId: id, amount: units }))
          .filter((balance) => balance.amount >= given.minDeposit);
        expect([...others, ...(first === undefined ? [] : [first.order])].some(isSooner)).toBe(false);
      }),
    );
  });

  it('is of the tokens that leave, and gives up no order that it would not give up for all', () => {
    fc.assert(
      fc.property(balances, orders, terms, wanted, (held, received, given, tokens) => {
        const choice = chooseRequest({ balances: held }, received, { ...given, tokens });
        if (choice === undefined) return;
        const { tokenId } = choice.kind === 'redemption' ? choice.received.order : choice;
        expect(tokens?.has(tokenId) ?? true).toBe(true);
        if (choice.kind !== 'redemption') return;
        const { order, totalIndex } = choice.received;
        const upTo = received.filter((each) => each.totalIndex <= totalIndex);
        // With nothing else to ask for than this order, those before it are the only ones that forbid it.
        for (const { order: other, totalIndex: index } of upTo)
          if (index < totalIndex && other.amount >= leastOf(given))
            expect(other.amount * 100n * heldOf(given, order.tokenId)).toBeLessThanOrEqual(
              order.amount * heldOf(given, other.tokenId),
            );
      }),
    );
  });

  it('gives up no more than a hundredth of what it is for', () => {
    fc.assert(
      fc.property(orders, terms, (received, given) => {
        const choice = chooseRequest({ balances: new Map() }, received, given);
        if (choice?.kind !== 'redemption') return;
        const { tokenId, amount } = choice.received.order;
        for (const id of TOKENS) {
          const lost = received
            .slice(0, choice.passed)
            .filter(({ order }) => order.tokenId === id && order.amount >= leastOf(given))
            .reduce((sum, { order }) => sum + order.amount, 0n);
          expect(lost * 100n * heldOf(given, tokenId) <= amount * heldOf(given, id)).toBe(true);
        }
      }),
    );
  });

  it('is not held up by dust that others sent before', () => {
    const dust = Array.from({ length: 1_000 }, () => [0, 1n] as const);
    const given = { held: new Map([[0, 10n ** 9n]]), minDeposit: 1n, minimum: 1n };
    const choose = (list: readonly (readonly [number, bigint])[]) =>
      chooseRequest({ balances: new Map() }, ordersOf(list), given);
    expect(choose([...dust, [0, 100_000n]])).toMatchObject({
      received: { totalIndex: 1_001 },
      passed: 1_000,
    });
    expect(choose([...dust, [0, 99_999n]])).toMatchObject({ received: { totalIndex: 1 }, passed: 0 });
  });
});

const NOTHING = { tokenId: 0, amount: 0n };
