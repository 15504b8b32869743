import { PRIVATE_V } from '@tetrad/transactions';
import type { SignedTransaction } from '@tetrad/types';

export const isPrivateV = (v: bigint): boolean => v === PRIVATE_V || v === PRIVATE_V + 1n;

/** Whether the payload of the transaction is with the transaction managers of its parties. */
export function isPrivateTransaction({ type, v }: Pick<SignedTransaction, 'type' | 'v'>): boolean {
  return type === 'legacy' && isPrivateV(v);
}
