import { RLP } from '@ethereumjs/rlp';
import { Address as EvmAddress, KECCAK256_RLP } from '@ethereumjs/util';
import { EMPTY_KECCAK, keccak256 } from '@tetrad/crypto';
import { addressToBytes, hashFromBytes, hexFromBytes, type Address, type Hash } from '@tetrad/types';
import type { WorldState } from './world-state.js';

export interface AccountState {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Hash;
  readonly storageRoot: Hash;
}

export const EMPTY_STORAGE_ROOT = hashFromBytes(KECCAK256_RLP);

/** The account, or undefined when the address has none. */
export async function findAccount(world: WorldState, address: Address): Promise<AccountState | undefined> {
  const account = await world.getAccount(new EvmAddress(addressToBytes(address)));
  if (account === undefined) return undefined;
  return {
    balance: account.balance,
    nonce: account.nonce,
    codeHash: hashFromBytes(account.codeHash),
    storageRoot: hashFromBytes(account.storageRoot),
  };
}

/** Code at the address; empty when there is none. */
export function readCode(world: WorldState, address: Address): Promise<Uint8Array> {
  return world.getCode(new EvmAddress(addressToBytes(address)));
}

/** The 32 bytes in the slot; zero when nothing is there. */
export async function readSlot(world: WorldState, address: Address, slot: Uint8Array): Promise<Uint8Array> {
  const value = await world.getStorage(new EvmAddress(addressToBytes(address)), slot);
  const word = new Uint8Array(32);
  word.set(value, 32 - value.length);
  return word;
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

/** Root of the account's storage, with what the world has changed in it; undefined when there is no account. */
export async function readStorageRoot(world: WorldState, address: Address): Promise<Hash | undefined> {
  return (await findAccount(await world.settled(), address))?.storageRoot;
}

/** Proves what the state root after the changes of the world says of the account and its slots. */
export async function proveAccount(
  changed: WorldState,
  address: Address,
  slots: readonly Uint8Array[],
): Promise<AccountProof> {
  const world = await changed.settled();
  const account = await findAccount(world, address);
  const storageRoot = account?.storageRoot ?? EMPTY_STORAGE_ROOT;
  const trie = world.storageTrie(Buffer.from(storageRoot.slice(2), 'hex'));
  return {
    balance: account?.balance ?? 0n,
    nonce: account?.nonce ?? 0n,
    codeHash: account?.codeHash ?? EMPTY_KECCAK,
    storageRoot,
    accountProof: await world.accountTrie().prove(keccak256(addressToBytes(address))),
    storageProof: await Promise.all(
      slots.map(async (slot) => ({
        slot,
        value: BigInt(hexFromBytes(await readSlot(world, address, slot))),
        proof: storageRoot === EMPTY_STORAGE_ROOT ? [] : await trie.prove(keccak256(slot)),
      })),
    ),
  };
}

/** Everything the state holds of an account. */
export interface AccountDump extends AccountState {
  readonly code: Uint8Array;
  /** 32-byte slot as 0x hex → value as hex without leading zero bytes and without 0x, as GoQuorum's dump has it. */
  readonly storage: Readonly<Record<string, string>>;
}

/**
 * The account with its whole storage, or undefined when there is none.
 *
 * Out:  `tooLarge` when there are more slots than `maxSlots`
 * Cost: reads every slot
 */
export async function dumpAccount(
  changed: WorldState,
  address: Address,
  maxSlots: number,
): Promise<AccountDump | 'tooLarge' | undefined> {
  const world = await changed.settled();
  const account = await findAccount(world, address);
  if (account === undefined) return undefined;
  const storage: Record<string, string> = {};
  let slots = 0;
  const trie = world.storageTrie(Buffer.from(account.storageRoot.slice(2), 'hex'));
  for await (const { key, value } of trie.entries()) {
    if (++slots > maxSlots) return 'tooLarge';
    const slot = (await world.findPreimage(key)) ?? key;
    storage[hexFromBytes(slot)] = hexFromBytes(RLP.decode(value) as Uint8Array).slice(2);
  }
  return { ...account, code: await readCode(world, address), storage };
}
