import { RequestError } from '@tetrad/types';

export interface Page<Item> {
  readonly hasMoreResults: boolean;
  readonly items: readonly Item[];
}

/** Items of one nonce that a page takes beyond its soft limit. */
const MOST_BEYOND = 1_000;

/**
 * A page is cut after the soft limit, but never between operations of one nonce, so that the next page can begin with the
 * nonce after the last one.
 *
 * In:    softLimit — at least 1; list — the first items in the order of their nonces, at most `limit`
 * Fails: RequestError (RESPONSE_TOO_LARGE) when there are more than 1,000 further ones with one nonce
 */
export async function cutByNonce<Item>(
  softLimit: number,
  nonceOf: (item: Item) => number,
  list: (limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const first = await list(softLimit + 1);
  if (first.length <= softLimit) return { hasMoreResults: false, items: first };
  const last = nonceOf(first[softLimit - 1] as Item);
  if (nonceOf(first[softLimit] as Item) !== last)
    return { hasMoreResults: true, items: first.slice(0, softLimit) };
  const limit = softLimit + MOST_BEYOND + 1;
  const items = await list(limit);
  const end = items.findIndex((item) => nonceOf(item) > last);
  if (end >= 0) return { hasMoreResults: true, items: items.slice(0, end) };
  if (items.length < limit) return { hasMoreResults: false, items };
  const text = `more than ${MOST_BEYOND} operations have the nonce ${last}; ask for one account or one status`;
  throw new RequestError('RESPONSE_TOO_LARGE', text);
}

/** The same for items of which no two belong together. */
export function cut<Item>(softLimit: number, items: readonly Item[]): Page<Item> {
  return { hasMoreResults: items.length > softLimit, items: items.slice(0, softLimit) };
}
