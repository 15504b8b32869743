import { RequestError, type Address } from '@tetrad/types';
import type { PoolBook, SenderQueue } from './pool-book.js';
import type { PoolEntry } from './pool-entry.js';
import { unfundedShare, type PoolLimits, type Tally } from './pool-limits.js';
import { STANDING, type Standing } from './standing.js';

/** A transaction to admit, with its sender. */
export interface Newcomer {
  readonly entry: PoolEntry;
  /** The sender's next nonce at the head. */
  readonly nextNonce: bigint;
  readonly standing: Standing;
}

/** An evicted entry, with what is needed to put it back. */
export interface Evicted {
  readonly entry: PoolEntry;
  readonly nextNonce: bigint;
  readonly standing: Standing;
}

/** The entries of what was evicted, in its order. */
export const entriesOf = (evicted: readonly Evicted[]): PoolEntry[] => evicted.map(({ entry }) => entry);

export interface RoomBounds {
  readonly book: PoolBook;
  readonly limits: PoolLimits;
}

/** The newcomer's contribution to the sums. */
interface Need extends Tally {
  readonly isQueued: boolean;
  readonly isUnfunded: boolean;
}

/** The queue to evict from next. */
interface Candidate {
  readonly queue: SenderQueue;
  readonly kind: 'queued' | 'pending';
}

/**
 * Makes room for a newcomer. Queued transactions are evicted before pending ones, those of senders of a lower standing
 * first, and of these senders the last one of the sender that holds most (docs/adr/0071).
 * @returns the evicted entries
 * @throws RequestError, and the book is unchanged
 */
export function makeRoom(newcomer: Newcomer, bounds: RoomBounds): Evicted[] {
  const evicted: Evicted[] = [];
  try {
    for (;;) {
      const candidate = nextCandidate(newcomer, bounds);
      if (candidate === undefined) return evicted;
      evicted.push(evict(candidate, bounds.book));
    }
  } catch (error) {
    for (const one of evicted.reverse()) putBack(one, bounds.book);
    throw error;
  }
}

/**
 * Evicts entries above the bounds, in the same order.
 * @returns the evicted entries
 */
export function trim({ book, limits }: RoomBounds): Evicted[] {
  const evicted: Evicted[] = [];
  const need = { count: 0, bytes: 0, isQueued: true, isUnfunded: true };
  for (;;) {
    const bound = exceededBound(need, { book, limits });
    if (bound === undefined) return evicted;
    const candidate = candidateFor(bound, book);
    if (candidate === undefined) return evicted;
    evicted.push(evict(candidate, book));
  }
}

/**
 * Evicts the last entries of a sender above its bounds.
 * @returns the evicted entries
 */
export function trimSender(sender: Address, { book, limits }: RoomBounds): Evicted[] {
  const evicted: Evicted[] = [];
  for (;;) {
    const queue = book.queueOf(sender);
    if (queue === undefined || !exceeds(senderTally(queue), { count: 0, bytes: 0 }, senderBound(limits)))
      return evicted;
    evicted.push(evict({ queue, kind: queue.queued > 0 ? 'queued' : 'pending' }, book));
  }
}

/**
 * Puts back an entry that was evicted in vain.
 * @returns false when another one has its nonce by now
 */
export function putBack({ entry, nextNonce, standing }: Evicted, book: PoolBook): boolean {
  const { sender, nonce } = entry.transaction;
  const queue = book.queueOf(sender);
  if (nonce < (queue?.nextNonce ?? nextNonce) || queue?.at(nonce) !== undefined) return false;
  entry.evicted = false;
  book.put(entry, nextNonce, standing);
  return true;
}

/**
 * @returns the transaction to evict next; undefined when there is room
 * @throws RequestError when none may be evicted
 */
function nextCandidate(newcomer: Newcomer, { book, limits }: RoomBounds): Candidate | undefined {
  const { sender, nonce, raw } = newcomer.entry.transaction;
  const own = book.queueOf(sender);
  const replaced = own?.at(nonce);
  const need = {
    count: replaced === undefined ? 1 : 0,
    bytes: raw.length - (replaced?.transaction.raw.length ?? 0),
    isQueued: nonce > (own?.firstGap ?? newcomer.nextNonce),
    isUnfunded: newcomer.standing === STANDING.unfunded,
  };
  if (exceeds(senderTally(own), need, senderBound(limits))) {
    // Otherwise a sender could never fill the gap of its own queue.
    if (own !== undefined && own.queued > 0 && !need.isQueued) return { queue: own, kind: 'queued' };
    throw new RequestError('ACCOUNT_LIMIT_EXCEEDED', 'account limit exceeded');
  }
  const bound = exceededBound(need, { book, limits });
  if (bound === undefined) return undefined;
  const candidate = candidateFor(bound, book);
  if (candidate !== undefined && outranks({ ...newcomer, own, need }, candidate)) return candidate;
  throw new RequestError('POOL_FULL', 'txpool is full');
}

function exceededBound(
  need: Need,
  { book, limits }: RoomBounds,
): 'queued' | 'unfunded' | 'total' | undefined {
  if (need.isQueued && exceeds(book.queued, need, { count: limits.queued, bytes: limits.queuedBytes }))
    return 'queued';
  if (need.isUnfunded && exceeds(book.unfunded, need, unfundedShare(limits))) return 'unfunded';
  if (exceeds(book.total, need, { count: limits.total, bytes: limits.totalBytes })) return 'total';
  return undefined;
}

function candidateFor(bound: 'queued' | 'unfunded' | 'total', book: PoolBook): Candidate | undefined {
  const [queued, pending] = [book.largestQueued, book.largestPending];
  const fits = (queue: SenderQueue | undefined) =>
    queue !== undefined && (bound !== 'unfunded' || queue.standing === STANDING.unfunded);
  if (queued !== undefined && fits(queued)) return { queue: queued, kind: 'queued' };
  if (bound === 'queued' || pending === undefined || !fits(pending)) return undefined;
  return { queue: pending, kind: 'pending' };
}

/** Whether the newcomer has priority over the last entry of the candidate. */
function outranks(
  { standing, own, need }: Pick<Newcomer, 'standing'> & { own: SenderQueue | undefined; need: Need },
  { queue, kind }: Candidate,
): boolean {
  // An acknowledged transaction that can be mined is not evicted for one of the same standing.
  if (kind === 'pending') return !need.isQueued && standing > queue.standing;
  if (!need.isQueued) return true;
  if (queue === own) return false;
  if (standing !== queue.standing) return standing > queue.standing;
  return (own?.queuedBytes ?? 0) + need.bytes < queue.queuedBytes;
}

function evict({ queue, kind }: Candidate, book: PoolBook): Evicted {
  const entry = (kind === 'queued' ? queue.lastQueued : queue.lastPending) as PoolEntry;
  const { nextNonce, standing } = queue;
  book.remove(entry);
  entry.evicted = true;
  return { entry, nextNonce, standing };
}

const senderBound = ({ perAccount, perAccountBytes }: PoolLimits): Tally => ({
  count: perAccount,
  bytes: perAccountBytes,
});
const senderTally = (queue: SenderQueue | undefined): Tally => ({
  count: queue?.size ?? 0,
  bytes: queue?.bytes ?? 0,
});

const exceeds = (held: Tally, more: Tally, most: Tally): boolean =>
  held.count + more.count > most.count || held.bytes + more.bytes > most.bytes;
