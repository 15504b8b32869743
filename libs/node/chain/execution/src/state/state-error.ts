import type { StorageTooLargeError } from './dump-accounts.js';
import type { UnknownStateRootError } from './state-database.js';
import type { MissingTrieNodeError } from './trie.js';

/** Why a state cannot be read, distinguished by `code`. */
export type StateError = MissingTrieNodeError | StorageTooLargeError | UnknownStateRootError;
