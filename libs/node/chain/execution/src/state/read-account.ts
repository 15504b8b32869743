import { EMPTY_KECCAK, keccak256 } from '@tetrad/crypto';
import { readRlp } from '@tetrad/rlp';
import { addressToBytes, hexFromBytes, type Address, type Hash } from '@tetrad/types';
import { EMPTY_STORAGE_ROOT } from './stored-account.js';
import type { AccountState, WorldState } from './world-state.js';

/** The account, or undefined when the address has none. */
export function findAccount(world: WorldState, address: Address): Promise<AccountState | undefined> {
  return world.findAccount(address);
}

/** Code at the address; empty when there is none. */
export function readCode(world: WorldState, address: Address): Promise<Uint8Array> {
  return world.readCode(address);
}

/** The 32 bytes in the slot; zero when nothing is there. */
export function readSlot(world: WorldState, address: Address, slot: Uint8Array): Promise<Uint8Array> {
  return world.readSlot(address, slot);
}

/** An account and slots of it with the trie nodes that prove them (EIP-1186). */
export interface AccountProof extends AccountState {
  readonly accountProof: readonly Uint8Array[];
  readonly storageProof: readonly {
    readonly slot: Uint8Array;
    readonly value: bigint;
    readonly proof: readonly Uint8Array[];
  }[];
}

/** Root of the account's storage, with what the world has changed in it; undefined when the account does not exist. */
export async function readStorageRoot(world: WorldState, address: Address): Promise<Hash | undefined> {
  return (await findAccount(await world.settled(), address))?.storageRoot;
}

/** Slots that are proved before other work has its turn. */
const PROOFS_AT_A_TIME = 16;

/**
 * Proves the account and its slots against the state root after the changes of the world.
 * @param giveWay - what is awaited between pieces of the work
 */
export async function proveAccount(
  changed: WorldState,
  address: Address,
  slots: readonly Uint8Array[],
  giveWay?: () => Promise<void> | undefined,
): Promise<AccountProof> {
  const world = await changed.settled();
  const account = await findAccount(world, address);
  const storageRoot = account?.storageRoot ?? EMPTY_STORAGE_ROOT;
  const trie = world.storageTrie(storageRoot);
  const prove = async (slot: Uint8Array) => ({
    slot,
    value: BigInt(hexFromBytes(await readSlot(world, address, slot))),
    proof: storageRoot === EMPTY_STORAGE_ROOT ? [] : await trie.prove(keccak256(slot)),
  });
  const storageProof: AccountProof['storageProof'][number][] = [];
  while (storageProof.length < slots.length) {
    await giveWay?.();
    const next = slots.slice(storageProof.length, storageProof.length + PROOFS_AT_A_TIME);
    storageProof.push(...(await Promise.all(next.map(prove))));
  }
  return {
    balance: account?.balance ?? 0n,
    nonce: account?.nonce ?? 0n,
    codeHash: account?.codeHash ?? EMPTY_KECCAK,
    storageRoot,
    accountProof: await world.accountTrie().prove(keccak256(addressToBytes(address))),
    storageProof,
  };
}

/** Everything the state holds of an account. */
export interface AccountDump extends AccountState {
  readonly code: Uint8Array;
  /** 32-byte slot as 0x hex → value as hex without leading zero bytes and without 0x, as GoQuorum's dump has it. */
  readonly storage: Readonly<Record<string, string>>;
}

/** Slots whose keys are looked up at the same time. */
const SLOTS_AT_ONCE = 1_024;

/**
 * The account with its whole storage, or undefined when there is none.
 *
 * Cost: reads every slot
 *
 * @returns `tooLarge` when there are more slots than `maxSlots`
 */
export async function dumpAccount(
  changed: WorldState,
  address: Address,
  maxSlots: number,
): Promise<AccountDump | 'tooLarge' | undefined> {
  const world = await changed.settled();
  const account = await findAccount(world, address);
  if (account === undefined) return undefined;
  const entries = await world.storageTrie(account.storageRoot).readAll(maxSlots);
  if (entries === undefined) return 'tooLarge';
  const storage: Record<string, string> = {};
  for (let from = 0; from < entries.length; from += SLOTS_AT_ONCE) {
    const part = entries.slice(from, from + SLOTS_AT_ONCE);
    const slots = await Promise.all(part.map(({ key }) => world.findPreimage(key)));
    for (const [at, { key, value }] of part.entries())
      storage[hexFromBytes(slots[at] ?? key)] = hexFromBytes(readRlp(value).content).slice(2);
  }
  return { ...account, code: await readCode(world, address), storage };
}
