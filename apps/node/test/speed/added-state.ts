import { EMPTY_KECCAK, keccak256, keccakHash } from '@tetrad/crypto';
import { flatSlot, type WorldState } from '@tetrad/node-execution';
import { rlpScalar } from '@tetrad/rlp';
import { addressToBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import {
  EMPTY_STORAGE_ROOT,
  encodeAccount,
  storedAccount,
} from '../../../../libs/node/chain/execution/src/state/stored-account.js';
import { subtrie, type PlacedEntry } from '../../../../libs/node/chain/execution/src/state/subtrie.js';
import {
  nibblesOf,
  referenceOf,
  rootHash,
  type Branch,
} from '../../../../libs/node/chain/execution/src/state/trie-node.js';
import type { StateRows } from './state-rows.js';

/** Accounts and contracts that are there without a transaction that made them, so only peers can give the state. */
export interface AddedAccounts {
  /** Without code. */
  readonly accounts: number;
  /** Their numbers are the first ones. */
  readonly contracts: number;
  /** Of each contract. */
  readonly slots: number;
}

/** Codes are shared by contracts, as those of a factory are. */
const CODES = 500;
const NIBBLES = 16;

export const wordAt = (number: number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

export function addressAt(number: number): Address {
  return `0xacc0${number.toString(16).padStart(36, '0')}` as Address;
}

/** A slot of every contract. */
interface AddedSlot {
  readonly number: number;
  readonly slot: Uint8Array;
  readonly path: Uint8Array;
}

/**
 * Writes the state of a world with more accounts straight into rows: its tries are built from below, in the order of their hashed keys, and
 * each node is hashed once. A sixteenth of the accounts is in memory at a time.
 * @returns its root
 */
export async function addAccounts(world: WorldState, added: AddedAccounts, rows: StateRows): Promise<Hash> {
  const children: Branch['children'] = [];
  const [known, numbers] = [await entriesByNibble(world), numbersByNibble(added)];
  const state = new AddedState(added, rows);
  for (let nibble = 0; nibble < NIBBLES; nibble += 1) {
    const entries = [...(known[nibble] ?? [])];
    for (const number of numbers[nibble] ?? []) {
      entries.push(state.add(number));
      await rows.flushFull();
    }
    entries.sort((one, other) => Buffer.compare(one.path, other.path));
    const node = subtrie({ entries, from: 0, to: entries.length }, 1);
    // Its nodes are rows then, so they need not stay in memory.
    children.push(node && { kind: 'unresolved', hash: referenceOf(node, rows.addNode) });
    await rows.flushFull();
  }
  if (children.filter((child) => child !== null).length < 2) throw new Error('a state of one account');
  const root = hashFromBytes(rootHash({ kind: 'branch', children }, rows.addNode));
  await rows.flush();
  return root;
}

async function entriesByNibble(world: WorldState): Promise<readonly PlacedEntry[][]> {
  const parts = Array.from({ length: NIBBLES }, (): PlacedEntry[] => []);
  for await (const { key, value } of world.accountTrie().entries()) {
    const path = nibblesOf(key);
    parts[path[0] ?? 0]?.push({ path, value });
  }
  return parts;
}

function numbersByNibble({ accounts, contracts }: AddedAccounts): readonly number[][] {
  const parts = Array.from({ length: NIBBLES }, (): number[] => []);
  for (let number = 0; number < accounts + contracts; number += 1) {
    const [first = 0] = keccak256(addressToBytes(addressAt(number)));
    parts[first >> 4]?.push(number);
  }
  return parts;
}

class AddedState {
  /** In the order of their hashes. */
  private readonly slots: readonly AddedSlot[];
  private readonly codes: readonly Hash[];

  constructor(
    private readonly added: AddedAccounts,
    private readonly rows: StateRows,
  ) {
    const slots = Array.from({ length: added.slots }, (_, number) => {
      const slot = wordAt(number);
      const hash = keccak256(slot);
      rows.preimages.push({ hash, bytes: slot });
      return { number, slot, path: nibblesOf(hash) };
    });
    this.slots = slots.sort((one, other) => Buffer.compare(one.path, other.path));
    this.codes = Array.from({ length: Math.min(CODES, added.contracts) }, (_, number) => {
      const bytes = Buffer.from(`00${number.toString(16).padStart(8, '0')}`, 'hex');
      rows.codes.push({ hash: keccak256(bytes), bytes });
      return keccakHash(bytes);
    });
  }

  /** Adds the rows of an account, but for the nodes of the trie of accounts. */
  add(number: number): PlacedEntry {
    const address = addressToBytes(addressAt(number));
    const isContract = number < this.added.contracts;
    const value = encodeAccount(
      storedAccount({
        nonce: isContract ? 1n : 0n,
        balance: BigInt(number + 1),
        codeHash: isContract ? (this.codes[number % CODES] as Hash) : EMPTY_KECCAK,
        storageRoot: isContract ? this.addStorage(number, address) : EMPTY_STORAGE_ROOT,
      }),
    );
    const hash = keccak256(address);
    this.rows.preimages.push({ hash, bytes: address });
    this.rows.flat.push({ key: address, value });
    return { path: nibblesOf(hash), value };
  }

  private addStorage(contract: number, address: Uint8Array): Hash {
    const entries = this.slots.map(({ number, slot, path }): PlacedEntry => {
      const value = rlpScalar(BigInt(contract * this.added.slots + number + 1));
      this.rows.flat.push(flatSlot(address, slot, value));
      return { path, value };
    });
    const top = subtrie({ entries, from: 0, to: entries.length }, 0);
    return top === null ? EMPTY_STORAGE_ROOT : hashFromBytes(rootHash(top, this.rows.addNode));
  }
}
