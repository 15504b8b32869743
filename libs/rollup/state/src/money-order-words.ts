import { isFieldElement, type MoneyOrder } from '@tetrad/rollup-crypto';

/** @returns undefined when the words do not encode an order, as when they were decrypted with another key */
export function moneyOrderOfWords([from, to, token, amount, blindingFactor]: readonly bigint[]):
  MoneyOrder | undefined {
  if (from === undefined || to === undefined || token === undefined || amount === undefined) return undefined;
  if (blindingFactor === undefined || !isFieldElement(blindingFactor)) return undefined;
  if (from >> 32n !== 0n || to >> 32n !== 0n || token >> 32n !== 0n || amount >> 64n !== 0n) return undefined;
  return {
    fromAccountId: Number(from),
    toAccountId: Number(to),
    tokenId: Number(token),
    amount,
    blindingFactor,
  };
}
