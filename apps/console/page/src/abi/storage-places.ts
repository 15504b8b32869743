import { concat, keccak256, numberToHex } from 'viem/utils';
import type { Hex } from './contract-abi.js';
import type { StorageLayout, StorageType } from './storage-layout.js';

/** Structs in one another. */
const MAX_DEPTH = 16;
/** Places of one list. */
export const MAX_PLACES = 300;
const SLOTS = 2n ** 256n;
const WORD = 32n;

/** Where a value of a type is. */
export interface Place {
  /** `owner`, `accounts[3].balance`: names are a stranger's text. */
  readonly label: string;
  readonly typeId: string;
  readonly type: StorageType;
  readonly slot: bigint;
  /** Bytes from the right of the slot. */
  readonly offset: number;
  readonly kind: 'value' | 'bytes' | 'mapping' | 'array';
}

/** The variables of a contract, with the members of structs in their place. */
export const placesOf = (layout: StorageLayout): readonly Place[] =>
  layout.variables
    .flatMap(({ label, type, slot, offset }) => placesAt(layout, { label, typeId: type, slot, offset }, 0))
    .slice(0, MAX_PLACES);

type Start = Pick<Place, 'label' | 'typeId' | 'slot' | 'offset'>;

function placesAt(layout: StorageLayout, start: Start, depth: number): readonly Place[] {
  const type = layout.types.get(start.typeId);
  if (type === undefined || depth > MAX_DEPTH) return [];
  const { members } = type;
  if (members === undefined || type.encoding !== 'inplace') return [{ ...start, type, kind: kindOf(type) }];
  const places: Place[] = [];
  for (const member of members) {
    // Structs that hold themselves twice would double at each level.
    if (places.length > MAX_PLACES) break;
    const at = { slot: (start.slot + member.slot) % SLOTS, offset: member.offset };
    const inner = { label: `${start.label}.${member.label}`, typeId: member.type, ...at };
    places.push(...placesAt(layout, inner, depth + 1));
  }
  return places;
}

function kindOf({ encoding, base }: StorageType): Place['kind'] {
  if (encoding === 'bytes' || encoding === 'mapping') return encoding;
  return encoding === 'dynamic_array' || base !== undefined ? 'array' : 'value';
}

/**
 * The ABI's type of a value; undefined for types that only their source knows.
 * @param typeId - such as `t_contract(Token)12`
 */
export function abiTypeOf(typeId: string, { numberOfBytes }: StorageType): string | undefined {
  const [, plain] = /^t_(u?int[0-9]+|bool|address|bytes[0-9]+)(?:_payable)?$/.exec(typeId) ?? [];
  if (plain !== undefined) return plain;
  if (typeId.startsWith('t_contract(')) return 'address';
  if (typeId.startsWith('t_enum(')) return `uint${8n * numberOfBytes}`;
  if (typeId.startsWith('t_string_')) return 'string';
  return typeId.startsWith('t_bytes_') ? 'bytes' : undefined;
}

const wordOf = (slot: bigint): Hex => numberToHex(slot, { size: 32 });

/** Where the elements of an array, or the bytes of a long text, begin whose length is in a slot. */
export const contentSlot = (slot: bigint): bigint => BigInt(keccak256(wordOf(slot)));

/**
 * The places of a mapping's value.
 *
 * Source: Solidity, "Layout of State Variables in Storage"
 *
 * @param options.key - of a value type, padded to a word; of a text, its bytes
 */
export function placesOfKey(
  layout: StorageLayout,
  { label, type, slot }: Place,
  { key, shown }: { readonly key: Hex; readonly shown: string },
): readonly Place[] {
  const inner = BigInt(keccak256(concat([key, wordOf(slot)])));
  const start = { label: `${label}[${shown}]`, typeId: type.value ?? '', slot: inner, offset: 0 };
  return placesAt(layout, start, 0).slice(0, MAX_PLACES);
}

/** The places of an array's element. Short elements share a slot. */
export function placesOfElement(
  layout: StorageLayout,
  { label, type, slot }: Place,
  index: bigint,
): readonly Place[] {
  const typeId = type.base ?? '';
  const size = layout.types.get(typeId)?.numberOfBytes ?? 0n;
  if (size === 0n) return [];
  const first = type.encoding === 'dynamic_array' ? contentSlot(slot) : slot;
  const inSlot = size >= WORD ? 1n : WORD / size;
  const slots = (size + WORD - 1n) / WORD;
  const at = {
    slot: (first + (index / inSlot) * slots) % SLOTS,
    offset: size >= WORD ? 0 : Number((index % inSlot) * size),
  };
  return placesAt(layout, { label: `${label}[${index}]`, typeId, ...at }, 0).slice(0, MAX_PLACES);
}

/** Elements of an array of fixed length; undefined for one whose length is in its slot. */
export function fixedLength({ type }: Place): bigint | undefined {
  const [, digits] = /\[([0-9]{1,78})\]$/.exec(type.label) ?? [];
  return type.encoding === 'dynamic_array' || digits === undefined ? undefined : BigInt(digits);
}
