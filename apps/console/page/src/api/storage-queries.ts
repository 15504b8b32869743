import { useQuery } from '@tanstack/react-query';
import { contentSlot, type Place } from '../abi/storage-places.js';
import { shownText, textIn, valueIn } from '../abi/storage-values.js';
import { callNode, valueOf, type Call } from './call-node.js';
import type { BlockId } from './contract-queries.js';
import { wordSchema } from './shapes.js';

/** Calls of one request to the console. */
const CALLS = 100;
/** Slots of long texts that are read for one list. */
const MAX_CONTENT_SLOTS = 400;

/** Where storage is read. */
export interface StorageOf {
  readonly node: string;
  readonly address: string;
  readonly block: BlockId;
}

/**
 * The 32 bytes of slots, by slot.
 * @throws Failure
 */
export async function readSlots(
  { node, address, block }: StorageOf,
  slots: readonly bigint[],
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, string>> {
  const wanted = [...new Set(slots)];
  const words = new Map<bigint, string>();
  for (let at = 0; at < wanted.length; at += CALLS) {
    const part = wanted.slice(at, at + CALLS);
    const calls = part.map((slot): Call => {
      const params = [address, `0x${slot.toString(16).padStart(64, '0')}`, block];
      return { method: 'eth_getStorageAt', params };
    });
    const outcomes = await callNode(node, calls, signal);
    for (const [index, slot] of part.entries()) words.set(slot, wordSchema.parse(valueOf(outcomes[index])));
  }
  return words;
}

/** A place with what is there; a mapping has nothing of its own, and an array its length. */
export interface StoredValue {
  readonly place: Place;
  readonly shown: string | undefined;
}

/** What is at places of a contract's storage. */
export function useStoredValues(of: StorageOf, places: readonly Place[]) {
  return useQuery({
    queryKey: ['storage', of, places.map(({ slot, offset, label }) => `${slot} ${offset} ${label}`)],
    queryFn: async ({ signal }): Promise<readonly StoredValue[]> => {
      const slots = places.filter(({ kind }) => kind !== 'mapping').map(({ slot }) => slot);
      const words = await readSlots(of, slots, signal);
      const contents = contentSlotsOf(places, words);
      const content = await readSlots(of, [...contents.values()].flat(), signal);
      return places.map((place) => ({ place, shown: shownAt(place, { words, contents, content }) }));
    },
    retry: false,
  });
}

interface Read {
  readonly words: ReadonlyMap<bigint, string>;
  /** The slots with the content of a long text, by the slot of its length. */
  readonly contents: ReadonlyMap<bigint, readonly bigint[]>;
  readonly content: ReadonlyMap<bigint, string>;
}

function contentSlotsOf(places: readonly Place[], words: ReadonlyMap<bigint, string>): Read['contents'] {
  const contents = new Map<bigint, readonly bigint[]>();
  let left = MAX_CONTENT_SLOTS;
  for (const { kind, slot } of places) {
    const text = kind === 'bytes' ? textIn(words.get(slot) ?? '0x0') : undefined;
    if (text?.kind !== 'long' || contents.has(slot)) continue;
    const count = Math.min(left, text.slots);
    left -= count;
    const first = contentSlot(slot);
    contents.set(
      slot,
      Array.from({ length: count }, (_, index) => first + BigInt(index)),
    );
  }
  return contents;
}

function shownAt(place: Place, { words, contents, content }: Read): string | undefined {
  const word = words.get(place.slot);
  if (place.kind === 'mapping' || word === undefined) return undefined;
  if (place.kind === 'value') return valueIn(word, place);
  if (place.kind === 'array')
    return place.type.encoding === 'dynamic_array' ? `${BigInt(word)} elements` : undefined;
  const text = textIn(word);
  if (text.kind === 'short') return shownText(place, text.content, false);
  const hex = (contents.get(place.slot) ?? []).map((slot) => content.get(slot)?.slice(2) ?? '').join('');
  const wanted = 2n * text.length;
  const isTruncated = BigInt(hex.length) < wanted;
  return shownText(place, `0x${isTruncated ? hex : hex.slice(0, Number(wanted))}`, isTruncated);
}
