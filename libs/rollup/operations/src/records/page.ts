import { RequestError } from '@tetrad/types';

export interface Page<Item> {
  readonly hasMoreResults: boolean;
  readonly items: readonly Item[];
}

/** Items that a page takes beyond its soft limit when all of them have one nonce. */
const MAX_BEYOND = 1_000;

/**
 * A page ends at the soft limit or before it, but never between operations of one nonce, so that the next page can begin with
 * the nonce after the last one. Only operations that all have one nonce go beyond the limit: no page could come after fewer.
 *
 * @param softLimit - at least 1
 * @param nonceOf - by which the items are ordered
 * @param list - the first items in the order of their nonces, at most as many as it is given
 * @returns at least one item when there are more
 * @throws RequestError (RESPONSE_TOO_LARGE) when there are more than 1,000 further ones with the first nonce
 */
export async function paginateByNonce<Item>(
  softLimit: number,
  nonceOf: (item: Item) => number,
  list: (limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const first = await list(softLimit + 1);
  if (first.length <= softLimit) return { hasMoreResults: false, items: first };
  const beyond = nonceOf(first[softLimit] as Item);
  const whole = first.filter((item) => nonceOf(item) < beyond);
  return whole.length > 0 ? { hasMoreResults: true, items: whole } : ofOneNonce(softLimit, nonceOf, list);
}

async function ofOneNonce<Item>(
  softLimit: number,
  nonceOf: (item: Item) => number,
  list: (limit: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const limit = softLimit + MAX_BEYOND + 1;
  const items = await list(limit);
  const nonce = nonceOf(items[0] as Item);
  const end = items.findIndex((item) => nonceOf(item) > nonce);
  if (end >= 0) return { hasMoreResults: true, items: items.slice(0, end) };
  if (items.length < limit) return { hasMoreResults: false, items };
  const text = `more than ${MAX_BEYOND} operations have the nonce ${nonce}; ask for one account or one status`;
  throw new RequestError('RESPONSE_TOO_LARGE', text);
}

/** The same for items of which no two belong together. */
export function paginate<Item>(softLimit: number, items: readonly Item[]): Page<Item> {
  return { hasMoreResults: items.length > softLimit, items: items.slice(0, softLimit) };
}
