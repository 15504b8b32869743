import { hexToBytes, bytesToHex, stringToBytes } from 'viem/utils';
import { AbiFault } from './abi-fault.js';
import { encodeArguments } from './arguments.js';
import type { Hex } from './contract-abi.js';
import type { StorageLayout } from './storage-layout.js';
import { parseParams } from './param.js';
import { abiTypeOf, fixedLength, placesOfElement, placesOfKey, type Place } from './storage-places.js';

/** Characters of a key. */
const MAX_KEY = 1_000;

/** An entry of a mapping or an array. */
export interface Opened {
  readonly label: string;
  readonly places: readonly Place[];
}

/**
 * The entry of a mapping or an array that a reader asks for.
 * @param text - a key as in calls, or an index
 * @throws AbiFault with what the key must be
 */
export function placesUnder(layout: StorageLayout, place: Place, text: string): Opened {
  if (text.length > MAX_KEY) throw new AbiFault('', `a key has at most ${MAX_KEY} characters`);
  return place.kind === 'mapping' ? underKey(layout, place, text) : underIndex(layout, place, text.trim());
}

function underKey(layout: StorageLayout, place: Place, text: string): Opened {
  const id = place.type.key ?? '';
  const type = layout.types.get(id);
  const abiType = type === undefined ? undefined : abiTypeOf(id, type);
  if (abiType === undefined)
    throw new AbiFault('key', `keys of type ${type?.label ?? id} cannot be written here`);
  const opened = placesOfKey(layout, place, { key: keyBytes(abiType, text), shown: text });
  return { label: text, places: opened };
}

/** A text is hashed as it is, and other keys as a word. */
function keyBytes(abiType: string, text: string): Hex {
  if (abiType === 'string') return bytesToHex(stringToBytes(text));
  const params = parseParams([{ name: 'key', type: abiType }], '');
  const encoded = encodeArguments(params, [text]);
  if (abiType !== 'bytes') return encoded;
  return bytesToHex(hexToBytes(text.trim() as Hex));
}

function underIndex(layout: StorageLayout, place: Place, text: string): Opened {
  if (!/^[0-9]{1,78}$/.test(text)) throw new AbiFault('index', 'must be a number');
  const length = fixedLength(place);
  const index = BigInt(text);
  if (index >= 2n ** 256n || (length !== undefined && index >= length))
    throw new AbiFault('index', length === undefined ? 'is too large' : `the array has ${length} elements`);
  return { label: text, places: placesOfElement(layout, place, index) };
}
