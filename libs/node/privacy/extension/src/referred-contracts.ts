import { EMPTY_KECCAK } from '@tetrad/crypto';
import type { WorldState } from '@tetrad/node-execution';
import type { MetadataSource } from '@tetrad/node-private-state';
import type { PrivateHead } from '@tetrad/node-transactions';
import type { PrivateStateStore } from '@tetrad/node-store';
import { bytesFromHex, type Address, type Hash, type Hex, type PtmKey } from '@tetrad/types';
import { stored, type ExtensionManager } from './manager-answers.js';
import { addressesInCode, addressesInWord } from './mentioned-addresses.js';

/** A private contract of this node whose address another one holds. */
export interface ReferredContract {
  readonly address: Address;
  readonly foundIn: 'code' | 'storage';
  readonly privacyFlag: number;
  /** Undefined with flag 0. */
  readonly parties: readonly PtmKey[] | undefined;
  /** Whether the new party has it; undefined where that is not known. */
  readonly isWithNewParty: boolean | undefined;
}

export interface References {
  readonly refersTo: readonly ReferredContract[];
  readonly isSearchComplete: boolean;
}

interface Parts {
  readonly store: Pick<PrivateStateStore, 'listExtendedTo'>;
  readonly manager: ExtensionManager;
  readonly head: Pick<PrivateHead, 'run'>;
}

interface Searched {
  readonly contract: Address;
  readonly code: Uint8Array;
  /** Undefined for a contract of too many slots. */
  readonly storage: ReadonlyMap<Hash, Hex> | undefined;
  readonly recipientKey: PtmKey | undefined;
}

/** Bounds of one search: addresses looked up in the state, and contracts whose parties are asked for. */
const MAX_LOOKED_UP = 10_000;
const MAX_FOUND = 100;

/**
 * Private contracts that a contract refers to, by addresses in its code and storage. A new party that lacks one of them
 * finds no code there: calls to it give nothing, or fail.
 * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
 */
export async function findReferences(
  parts: Parts,
  world: WorldState,
  searched: Searched,
): Promise<References> {
  const { found, isSearchComplete } = await search(world, searched);
  const addresses = [...found.keys()];
  const metadata = await parts.head.run((at) => at.metadata.find(addresses));
  const key = searched.recipientKey;
  const extended = new Set(key === undefined ? [] : await parts.store.listExtendedTo(addresses, key));
  const refersTo: ReferredContract[] = [];
  for (const [address, foundIn] of found) {
    const known = metadata.get(address);
    const parties = await partiesOf(parts.manager, known);
    const isWithNewParty =
      key === undefined ? undefined : extended.has(address) || (parties && parties.includes(key));
    refersTo.push({ address, foundIn, privacyFlag: known?.privacyFlag ?? 0, parties, isWithNewParty });
  }
  return { refersTo, isSearchComplete };
}

async function search(
  world: WorldState,
  { contract, code, storage }: Searched,
): Promise<{ readonly found: Map<Address, 'code' | 'storage'>; readonly isSearchComplete: boolean }> {
  const seen = new Set<Address>([contract]);
  const found = new Map<Address, 'code' | 'storage'>();
  for (const [address, foundIn] of mentioned(code, storage)) {
    if (seen.has(address)) continue;
    if (seen.size > MAX_LOOKED_UP || found.size >= MAX_FOUND) return { found, isSearchComplete: false };
    seen.add(address);
    const account = await world.findAccount(address);
    if (account !== undefined && account.codeHash !== EMPTY_KECCAK) found.set(address, foundIn);
  }
  return { found, isSearchComplete: storage !== undefined };
}

function* mentioned(
  code: Uint8Array,
  storage: ReadonlyMap<Hash, Hex> = new Map(),
): Generator<readonly [Address, 'code' | 'storage']> {
  for (const address of addressesInCode(code)) yield [address, 'code'];
  for (const value of storage.values()) {
    for (const address of addressesInWord(bytesFromHex(value))) yield [address, 'storage'];
  }
}

type Metadata = Awaited<ReturnType<MetadataSource['find']>>;

async function partiesOf(
  manager: ExtensionManager,
  metadata: ReturnType<Metadata['get']>,
): Promise<readonly PtmKey[] | undefined> {
  if (metadata === undefined) return undefined;
  return stored(await manager.participants(bytesFromHex(metadata.creation)));
}
