import { PRIVATE_V } from '@tetrad/transactions';
import type { SignedTransaction } from '@tetrad/types';

export const isPrivateV = (v: bigint): boolean => v === PRIVATE_V || v === PRIVATE_V + 1n;

/** Whether it is a private transaction, whose payload the transaction managers of its parties hold. */
export function isPrivateTransaction({ type, v }: Pick<SignedTransaction, 'type' | 'v'>): boolean {
  return type === 'legacy' && isPrivateV(v);
}
