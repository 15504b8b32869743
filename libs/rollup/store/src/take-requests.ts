import { openRequested } from './hot/open-requested.js';
import { orderRequested } from './hot/order-requested.js';
import { requestedWith } from './hot/requested-with.js';
import { takeRequested } from './hot/take-requested.js';
import type { StoredOperation } from './operation-rows.js';
import type { OpenRequest, TokenProgress } from './requests.js';
import type { Statements } from './statements.js';

/**
 * Requests whose operation is the next of its account, the largest share first. They become rows of operations as if they had
 * been accepted.
 *
 * @param statements - of a transaction
 */
export async function takeOpenRequests(
  statements: Statements,
  progress: readonly TokenProgress[],
  limit: number,
): Promise<OpenRequest[]> {
  const ordered = await orderRequested(statements, progress, limit);
  if (ordered.length === 0) return [];
  const open = await openRequested(statements, ordered, limit);
  // The same operation may be asked for in two events, of blocks of which one will be replaced.
  const unique = new Map(open.map((request) => [BigInt(`0x${request.operation.hash}`), request]));
  const taken = await takeRequested(
    statements,
    [...unique.values()].map(({ operation }) => operation),
  );
  const stored = new Map(taken.map((operation) => [operation.hash, operation]));
  return [...unique].flatMap(([hash, { place, proved }]) => {
    const operation = stored.get(hash);
    return operation === undefined ? [] : [{ place, proved, stored: operation }];
  });
}

/** The operations that an account was asked for with a nonce, as rows; none that was executed. */
export async function takeRequestedWith(
  statements: Statements,
  accountId: number,
  nonce: number,
): Promise<StoredOperation[]> {
  return takeRequested(statements, await requestedWith(statements, accountId, nonce));
}
