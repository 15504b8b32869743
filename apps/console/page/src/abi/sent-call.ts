import type { Transaction } from '../api/shapes.js';

/** A call as a reader confirmed it. */
export interface SentCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  /** Value in wei. */
  readonly value: bigint;
}

/** What of a transaction is not as it was confirmed; nonce and gas are chosen by who signs. */
export function differenceOf(
  call: SentCall,
  { from, to, input, value }: Pick<Transaction, 'from' | 'to' | 'input' | 'value'>,
): string | undefined {
  if (from.toLowerCase() !== call.from.toLowerCase()) return 'its sender';
  if (to?.toLowerCase() !== call.to.toLowerCase()) return 'its recipient';
  if (input.toLowerCase() !== call.data.toLowerCase()) return 'its data';
  return value === call.value ? undefined : 'its value';
}
