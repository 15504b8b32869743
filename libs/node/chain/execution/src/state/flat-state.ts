import type { Word } from '@tetrad/node-evm';
import { readRlp } from '@tetrad/rlp';
import { bytesFromScalar, type Hash } from '@tetrad/types';
import type { StateChanges } from './state-changes.js';
import { bytesOf } from './state-keys.js';
import { decodeAccount } from './stored-account.js';
import { MissingTrieNodeError } from './trie.js';
import type { WorldState } from './world-state.js';

/**
 * The newest state without a trie: a read is one look-up in place of a walk over the nodes of a trie.
 *
 *     address (20)              → RLP of the account, as in the trie
 *     address (20) ‖ slot (32)  → the value, without leading zero bytes; never zero
 */
export interface FlatSource {
  /** null: the root has nothing under the key; undefined: the stored flat state is of another root or missing. */
  find(root: Hash, key: Uint8Array): Promise<Uint8Array | null | undefined>;
}

export interface FlatEntry {
  /** address (20), or address (20) ‖ slot (32). */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Changes from one flat state to the next, applied in this order. */
export interface FlatChanges {
  readonly parentRoot: Hash;
  readonly stateRoot: Hash;
  /** Addresses under which all entries go, that of the account too. */
  readonly cleared: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
  readonly put: readonly FlatEntry[];
}

/** The flat changes from the parent root to the state root. */
export function flatChanges({ parentRoot, stateRoot, touched }: StateChanges): FlatChanges {
  const accounts = [...touched.accounts];
  const slots = [...touched.slots];
  const gone = accounts.filter(([, changed]) => changed === null).map(([key]) => key);
  return {
    parentRoot,
    stateRoot,
    cleared: [...new Set([...touched.cleared, ...gone])].map(bytesOf),
    removed: slots.filter(([, value]) => value === 0).map(([key]) => bytesOf(key)),
    put: [
      ...accounts.flatMap(([key, changed]) =>
        changed === null ? [] : [{ key: bytesOf(key), value: changed.encoded }],
      ),
      ...slots.filter(([, value]) => value !== 0).map(([key, value]) => slotEntry(bytesOf(key), value)),
    ],
  };
}

function slotEntry(key: Uint8Array, value: Word): FlatEntry {
  return { key, value: bytesFromScalar(BigInt(value)) };
}

/**
 * All entries of the world's root, from its tries.
 *
 * Cost: reads every node of the state
 *
 * @throws MissingTrieNodeError when a node, or the preimage of a hashed key, is not stored
 */
export async function* flatEntries(world: WorldState): AsyncGenerator<FlatEntry> {
  for await (const { key, value } of world.accountTrie().entries()) {
    const address = await preimageOf(world, key);
    yield { key: address, value };
    const { storageRoot, hasStorage } = decodeAccount(value);
    if (!hasStorage) continue;
    for await (const slot of world.storageTrie(storageRoot).entries()) {
      const own = await preimageOf(world, slot.key);
      yield flatSlot(address, own, slot.value);
    }
  }
}

/**
 * The entry of a slot.
 * @param encoded - the value as the trie of the account's storage has it
 */
export function flatSlot(address: Uint8Array, slot: Uint8Array, encoded: Uint8Array): FlatEntry {
  return { key: Buffer.concat([address, slot]), value: readRlp(encoded).content };
}

async function preimageOf(world: WorldState, hash: Uint8Array): Promise<Uint8Array> {
  const preimage = await world.findPreimage(hash);
  if (preimage === undefined)
    throw new MissingTrieNodeError(`no preimage of ${Buffer.from(hash).toString('hex')}`);
  return preimage;
}
