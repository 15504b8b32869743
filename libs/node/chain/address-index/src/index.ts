export { AddressHistory, type HistoryPage } from './address-history.js';
export { AddressIndexing, type AddressIndexingOptions } from './address-indexing.js';
export { indexedBlocks } from './indexed-blocks.js';
export type { Place } from './place.js';
export { PLACE_OF_NOW, listTokenHolders, type HoldersPage } from './token-holders.js';
