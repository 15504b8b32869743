import { bytesToString, getAddress, hexToBytes } from 'viem/utils';
import type { Hex } from './contract-abi.js';
import { abiTypeOf, type Place } from './storage-places.js';

/** Slots of a long text that are read. */
const MAX_TEXT_SLOTS = 64n;

/**
 * A value of a value type.
 * @param word - the 32 bytes of its slot
 */
export function valueIn(word: string, { typeId, type, offset }: Place): string {
  const end = 66 - 2 * offset;
  const start = end - 2 * Number(type.numberOfBytes);
  if (start < 2) return 'is not in one slot';
  const hex: Hex = `0x${word.slice(start, end)}`;
  const abiType = abiTypeOf(typeId, type);
  if (abiType === 'bool') return BigInt(hex) === 0n ? 'false' : 'true';
  if (abiType === 'address') return hex.length === 42 ? getAddress(hex) : hex;
  if (abiType?.startsWith('uint') === true) return BigInt(hex).toString();
  if (abiType?.startsWith('int') === true)
    return BigInt.asIntN(8 * Number(type.numberOfBytes), BigInt(hex)).toString();
  return hex;
}

/** A text or bytes, whose slot has their content or their length. */
export type Text =
  | { readonly kind: 'short'; readonly content: Hex }
  | { readonly kind: 'long'; readonly length: bigint; readonly slots: number };

/** @param word - the 32 bytes of the slot */
export function textIn(word: string): Text {
  const value = BigInt(word);
  if (value % 2n === 0n) {
    const size = Math.min(31, Number((value % 256n) / 2n));
    return { kind: 'short', content: `0x${word.slice(2, 2 + 2 * size)}` };
  }
  const length = value / 2n;
  const slots = (length + 31n) / 32n;
  return { kind: 'long', length, slots: Number(slots < MAX_TEXT_SLOTS ? slots : MAX_TEXT_SLOTS) };
}

/**
 * As people read it: the text of a string, and other bytes as hex.
 * @param isTruncated - whether there is more
 */
export function shownText({ typeId }: Place, content: Hex, isTruncated: boolean): string {
  const shown = typeId.startsWith('t_string_') ? bytesToString(hexToBytes(content)) : content;
  return isTruncated ? `${shown}…` : shown;
}
