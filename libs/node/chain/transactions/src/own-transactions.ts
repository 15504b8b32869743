import type { TransactionPool } from '@tetrad/node-pool';
import { RequestError, type Address, type SignedTransaction } from '@tetrad/types';

/** Bytes of a transaction's view as JSON, without its data. */
const VIEW_BYTES = 800;

/**
 * The pool's transactions of the given accounts, account by account, pending before queued.
 * @param answerBytes - maximum size of all of them as JSON
 * @throws RequestError RESPONSE_TOO_LARGE
 */
export function ownTransactions(
  pool: Pick<TransactionPool, 'content'>,
  accounts: readonly Address[],
  answerBytes: number,
): SignedTransaction[] {
  const { pending, queued } = pool.content();
  const own = accounts.flatMap((account) => [
    ...(pending.get(account) ?? []),
    ...(queued.get(account) ?? []),
  ]);
  const bytes = own.reduce((sum, { data }) => sum + VIEW_BYTES + 2 * data.length, 0);
  if (bytes > answerBytes)
    throw new RequestError(
      'RESPONSE_TOO_LARGE',
      `${own.length} transactions of own accounts exceed the size of one answer`,
    );
  return own;
}
