import { ZERO_ADDRESS, type Address, type Log } from '@tetrad/types';
import type { AddressHistory } from './address-history.js';
import { numberOfPlace, type Place } from './place.js';
import { tokenParties } from './token-parties.js';

/** Transactions that are read at a time. */
const AT_A_TIME = 64;
/** Transactions that are read for one page at most. */
const MAX_READ = 1_000;

/** An account that a log of the token names, and the newest block in which one does. */
export interface TokenHolder {
  readonly address: Address;
  readonly blockNumber: number;
}

/** Accounts of a token, those first that moved it last. An account may have nothing of it any more. */
export interface HoldersPage {
  readonly holders: readonly TokenHolder[];
  /** Transactions that were read for them. */
  readonly read: number;
  /** The place before which the next page begins; undefined when the whole history was read. */
  readonly next: number | undefined;
}

/** What is read for a page. */
export interface HoldersParts {
  readonly history: Pick<AddressHistory, 'placesBefore'>;
  /** The logs of the transaction at each place, as this node sees them. */
  logsAt(places: readonly Place[]): Promise<readonly (readonly Log[])[]>;
}

/**
 * Reads the transactions of a token backwards, until their logs name `size` accounts; a page has whole transactions.
 * @param options.before - place before which it begins
 */
export async function listTokenHolders(
  { history, logsAt }: HoldersParts,
  token: Address,
  { before, size }: { readonly before: number; readonly size: number },
): Promise<HoldersPage> {
  const holders = new Map<Address, TokenHolder>();
  let read = 0;
  let next = before;
  while (read < MAX_READ) {
    const places = await history.placesBefore(token, next, AT_A_TIME);
    const logs = await logsAt(places);
    for (const [index, place] of places.entries()) {
      read += 1;
      next = numberOfPlace(place);
      for (const address of holdersIn(logs[index] ?? [], token))
        if (!holders.has(address)) holders.set(address, { address, blockNumber: place.blockNumber });
      if (holders.size >= size) return { holders: [...holders.values()], read, next };
    }
    if (places.length < AT_A_TIME) return { holders: [...holders.values()], read, next: undefined };
  }
  return { holders: [...holders.values()], read, next };
}

/** A place beyond all blocks. */
export const PLACE_OF_NOW = Number.MAX_SAFE_INTEGER;

/** The accounts between which logs of the token say that it moved, those of the newest log first. */
function holdersIn(logs: readonly Log[], token: Address): Address[] {
  return logs
    .filter(({ address }) => address === token)
    .toReversed()
    .flatMap((log) => tokenParties(log))
    .filter((address) => address !== ZERO_ADDRESS);
}
