import { hexFromBytes, type SignedTransaction } from '@tetrad/types';

const quantity = (value: bigint) => `0x${value.toString(16)}`;

/**
 * A signed private transaction as it stands behind a marker: what `readMarkedTransaction` reads.
 *
 * Source: privacy-and-extension.md, section 1.7
 */
export function markedJson(transaction: SignedTransaction): string {
  const { nonce, gasLimit, value, data, v, r, s, to, hash } = transaction;
  const gasPrice = transaction.type === 'dynamicFee' ? transaction.maxFeePerGas : transaction.gasPrice;
  return JSON.stringify({
    ...{ type: '0x0', nonce: quantity(nonce), gasPrice: quantity(gasPrice), gas: quantity(gasLimit) },
    ...{ value: quantity(value), input: hexFromBytes(data), v: quantity(v), r: quantity(r), s: quantity(s) },
    ...{ to: to ?? null, hash },
  });
}
