import { hexFromBytes } from '@tetrad/types';
import { FIRST_KEY, nextKey } from './trie-keys.js';

/**
 * A place in a state: the hashed address of an account (32 bytes), or with it the hashed number of one of its slots (64). As bytes are
 * compared, an account comes before its slots, and these before the next account.
 */
export type StatePlace = Uint8Array;

/** Places from the first on, below the end; without an end all from the first on. */
export interface StateSpan {
  readonly from: StatePlace;
  readonly end: StatePlace | undefined;
}

/** The slots of an account that are in a span. */
export interface SlotSpan extends StateSpan {
  /** Whether the account itself is in the span. */
  readonly hasAccount: boolean;
  /** Whether all of its slots are, too. */
  readonly isWhole: boolean;
}

const ACCOUNT_BYTES = FIRST_KEY.length;

/** The keys of the accounts of which something is in the span. */
export function accountsOf({ from, end }: StateSpan): StateSpan {
  const hasSlotsAtEnd = end !== undefined && end.length > ACCOUNT_BYTES;
  return { from: accountOf(from), end: hasSlotsAtEnd ? nextKey(accountOf(end)) : end };
}

/** The keys of the slots of an account, which has something in the span. */
export function slotsOf({ from, end }: StateSpan, account: Uint8Array): SlotSpan {
  const begun = slotIn(from, account);
  const ended = end && slotIn(end, account);
  const hasAccount = begun === undefined;
  return {
    from: begun ?? FIRST_KEY,
    end: ended,
    hasAccount,
    isWhole: hasAccount && ended === undefined,
  };
}

/** The place after a slot; undefined after the last one that there may be. */
export function placeAfterSlot(account: Uint8Array, slot: Uint8Array): StatePlace | undefined {
  const next = nextKey(slot);
  return next && Buffer.concat([account, next]);
}

function accountOf(place: StatePlace): Uint8Array {
  return place.subarray(0, ACCOUNT_BYTES);
}

/** The slot that a place names of the account; undefined where it names none. */
function slotIn(place: StatePlace, account: Uint8Array): Uint8Array | undefined {
  const isOf = place.length > ACCOUNT_BYTES && hexFromBytes(accountOf(place)) === hexFromBytes(account);
  return isOf ? place.subarray(ACCOUNT_BYTES) : undefined;
}
