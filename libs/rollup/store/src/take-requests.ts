import { openRequested, type RequestToTake } from './hot/open-requested.js';
import { orderRequested } from './hot/order-requested.js';
import { requestedWith } from './hot/requested-with.js';
import { takeRequested } from './hot/take-requested.js';
import type { StoredOperation } from './operation-rows.js';
import type { OpenRequest, TokenProgress } from './requests.js';
import type { RollupCalls } from './rollup-client.js';
import type { Statements } from './statements.js';

/**
 * Requests whose operation is the next of its account, the largest share first, with rows of operations. What gets no
 * place is left (`leaveRequests`), so that no request has the places of what was accepted as well.
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
  const next = firstOfAccounts(open);
  const taken = await takeRequested(
    statements,
    next.map(({ operation }) => operation),
  );
  const rows = new Map(taken.map((one) => [one.stored.hash, one]));
  return next.flatMap(({ place, proved, operation: { hash } }) => {
    const row = rows.get(BigInt(`0x${hash}`));
    return row === undefined ? [] : [{ place, proved, ...row }];
  });
}

/** Deletes the rows that a step has made for requests which get no place in it: they are taken again when they do. */
export async function leaveRequests(calls: RollupCalls, requests: readonly OpenRequest[]): Promise<void> {
  const sequences = requests.filter(({ isNew }) => isNew).map(({ stored }) => stored.sequence);
  await calls.operation.deleteMany({ where: { sequence: { in: sequences } } });
}

/**
 * An account has one next operation. It may have asked for two: the later one in place of the earlier, or the same in two blocks of
 * which one will be replaced.
 */
function firstOfAccounts(open: readonly RequestToTake[]): RequestToTake[] {
  const first = new Map<number, RequestToTake>();
  for (const request of open) if (!first.has(request.proved.id)) first.set(request.proved.id, request);
  return [...first.values()];
}

/** The operations that an account was asked for with a nonce, as rows; none that was executed. */
export async function takeRequestedWith(
  statements: Statements,
  accountId: number,
  nonce: number,
): Promise<StoredOperation[]> {
  const taken = await takeRequested(statements, await requestedWith(statements, accountId, nonce));
  return taken.map(({ stored }) => stored);
}
