import { copyOf } from '@tetrad/rlp';
import { addressFromBytes, hashFromBytes, scalarFromBytes, type Address, type Hash } from '@tetrad/types';
import { MessageError } from './message-error.js';
import { viewList, type RlpView } from './rlp-view.js';

/** Rounds are 32 bits wide (EEA QBFT, section 4.2). */
export const MAX_ROUND = 0xffffffff;

/** A byte string of one of the lengths, copied, so that it does not hold the whole message in memory. */
export function readBytes(item: RlpView, field: string, ...lengths: readonly number[]): Uint8Array {
  if (item.isList || !lengths.includes(item.payload.length))
    throw new MessageError(`${field}: not ${lengths.join(' or ')} bytes`);
  return copyOf(item.payload);
}

export function readHash(item: RlpView, field: string): Hash {
  return hashFromBytes(readBytes(item, field, 32));
}

export function readAddress(item: RlpView, field: string): Address {
  return addressFromBytes(readBytes(item, field, 20));
}

/** A scalar without leading zeros, at most `most`. */
export function readScalar(item: RlpView, field: string, most: number): number {
  const { payload, isList } = item;
  if (isList || payload[0] === 0 || payload.length > 7) throw new MessageError(`${field}: not a scalar`);
  const value = Number(scalarFromBytes(payload));
  if (value > most) throw new MessageError(`${field}: above ${most}`);
  return value;
}

export function readHeight(item: RlpView): number {
  return readScalar(item, 'sequence', Number.MAX_SAFE_INTEGER);
}

export function readRound(item: RlpView, field = 'round'): number {
  return readScalar(item, field, MAX_ROUND);
}

type Tuple<Length extends number, Items extends RlpView[] = []> = Items['length'] extends Length
  ? Items
  : Tuple<Length, [...Items, RlpView]>;

/** The items of a list that must have so many. Fails: MessageError. */
export function viewTuple<Length extends 2 | 3 | 4 | 5>(
  item: RlpView,
  field: string,
  length: Length,
): Tuple<Length> {
  // `viewList` has counted them.
  return viewList(item, field, { exactly: length }) as Tuple<Length>;
}
