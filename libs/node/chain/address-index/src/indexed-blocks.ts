import type { BlocksByAddress } from '@tetrad/node-simulation';
import type { AddressHistory } from './address-history.js';
import type { AddressIndexing } from './address-indexing.js';

/**
 * The blocks that searches of traces look at: those of the index, and those that are not in it yet.
 * @param history - over the rows that the indexing fills
 */
export function indexedBlocks(
  indexing: Pick<AddressIndexing, 'head'>,
  history: Pick<AddressHistory, 'blocksOf'>,
): BlocksByAddress {
  return {
    async find(addresses, { from, to, most, assertGoesOn }) {
      const { blockNumber, callsFrom } = indexing.head;
      // Calls of earlier blocks are not in the index; genesis has none.
      if (Math.max(from, 1) < callsFrom) return undefined;
      const last = Math.min(to, blockNumber);
      const found = await history.blocksOf(addresses, { from, to: last, most, assertGoesOn });
      if (found === undefined || found.length + (to - last) > most) return undefined;
      const later = Array.from(
        { length: to - Math.max(last, from - 1) },
        (_, index) => Math.max(last + 1, from) + index,
      );
      return [...found, ...later];
    },
  };
}
