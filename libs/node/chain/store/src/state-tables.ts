import {
  code,
  preimage,
  privateCode,
  privatePreimage,
  privateTrieNode,
  trieNode,
  trieNodeB,
} from './generated/tables.js';

/** A table whose rows are keyed by the Keccak-256 of their content. */
export interface HashedTable {
  readonly name: string;
  /** Columns of the hash and of the content. */
  readonly hash: string;
  readonly content: string;
}

/** Trie nodes, codes and preimages of one state. */
export interface StateTables {
  readonly nodes: HashedTable;
  readonly codes: HashedTable;
  readonly preimages: HashedTable;
}

/** Trie nodes of the public state go to one of these at a time (docs/adr/0174). */
export const NODE_TABLES: readonly [HashedTable, HashedTable] = [
  { name: trieNode.table, hash: trieNode.columns.hash, content: trieNode.columns.encoded },
  { name: trieNodeB.table, hash: trieNodeB.columns.hash, content: trieNodeB.columns.encoded },
];

export const PUBLIC_STATE: StateTables = {
  nodes: NODE_TABLES[0],
  codes: { name: code.table, hash: code.columns.hash, content: code.columns.code },
  preimages: { name: preimage.table, hash: preimage.columns.hash, content: preimage.columns.value },
};

/** The tables of the public state as `chain.state_table` has them. */
export function publicState(stateTable: number | null): StateTables {
  return { ...PUBLIC_STATE, nodes: stateTable === 1 ? NODE_TABLES[1] : NODE_TABLES[0] };
}

export const PRIVATE_STATE: StateTables = {
  nodes: {
    name: privateTrieNode.table,
    hash: privateTrieNode.columns.hash,
    content: privateTrieNode.columns.encoded,
  },
  codes: { name: privateCode.table, hash: privateCode.columns.hash, content: privateCode.columns.code },
  preimages: {
    name: privatePreimage.table,
    hash: privatePreimage.columns.hash,
    content: privatePreimage.columns.value,
  },
};
