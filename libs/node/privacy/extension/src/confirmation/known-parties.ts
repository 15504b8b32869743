import type { MetadataSource } from '@tetrad/node-private-state';
import type { KnownExtension, PrivateStateStore } from '@tetrad/node-store';
import { bytesFromHex, type Address, type PtmKey } from '@tetrad/types';
import { stored, type ExtensionManager } from '../manager-answers.js';
import type { PartyStates } from './party-states.js';

export interface KnownPartiesParts {
  readonly store: Pick<PrivateStateStore, 'listEndedExtensions' | 'findCreation'>;
  /** At the head. */
  readonly metadata: () => MetadataSource;
  readonly manager: Pick<ExtensionManager, 'isSender' | 'participants' | 'receive'>;
  readonly states: Pick<PartyStates, 'findState'>;
  /** The payload hash (64) in the data of a private transaction; undefined where there is none. */
  readonly payloadHashOf: (raw: Uint8Array) => Uint8Array | undefined;
}

/** The keys of a contract's parties, and those of them that are this node's manager's. */
export interface KnownParties {
  readonly parties: ReadonlySet<PtmKey>;
  readonly own: ReadonlySet<PtmKey>;
}

interface Found {
  readonly parties: Set<PtmKey>;
  readonly own: Set<PtmKey>;
}

/**
 * Parties of a contract as far as this node has proof of them: sender and recipients of the payload that created it, as its
 * manager knows them, and those to whom one of them extended it. Anyone can begin and approve an extension that names any
 * contract, so one begun by another key proves nothing. None for a contract of privacy flag 0 that another contract created.
 * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
 */
export async function findKnownParties(parts: KnownPartiesParts, contract: Address): Promise<KnownParties> {
  const { store, metadata, payloadHashOf } = parts;
  const found: Found = { parties: new Set(), own: new Set() };
  const protectedBy = (await metadata().find([contract])).get(contract);
  if (protectedBy !== undefined) await addPayload(parts, found, bytesFromHex(protectedBy.creation));
  const raw = await store.findCreation(contract);
  const created = raw && payloadHashOf(raw);
  if (created !== undefined) await addPayload(parts, found, created);
  for (const row of await store.listEndedExtensions(contract)) await addExtension(parts, found, row);
  return found;
}

async function addPayload(
  { manager }: KnownPartiesParts,
  { parties, own }: Found,
  hash: Uint8Array,
): Promise<void> {
  const payload = stored(await manager.receive(hash));
  if (payload === undefined) return;
  const { sender, managedParties = [] } = payload;
  if (sender !== undefined) parties.add(sender);
  for (const key of stored(await manager.participants(hash)) ?? []) parties.add(key);
  for (const key of managedParties) own.add(key);
  if (sender !== undefined && stored(await manager.isSender(hash)) === true) own.add(sender);
}

async function addExtension(
  parts: KnownPartiesParts,
  { parties, own }: Found,
  row: KnownExtension,
): Promise<void> {
  const initiator = stored(await parts.manager.receive(row.creation))?.sender;
  if (initiator === undefined) return;
  if (row.isRecipient && parties.size === 0 && (await hasGivenContract(parts, row))) {
    parties.add(initiator).add(row.recipientKey);
    own.add(row.recipientKey);
  } else if (parties.has(initiator)) parties.add(row.recipientKey);
}

/** Whether this node has the contract since the extension ended: it then voted for that extension. */
async function hasGivenContract(
  { states }: KnownPartiesParts,
  { contract, finishedBlock }: KnownExtension,
): Promise<boolean> {
  if (finishedBlock === undefined || finishedBlock === 0) return false;
  const [before, after] = [
    await states.findState(contract, finishedBlock - 1),
    await states.findState(contract, finishedBlock),
  ];
  return before === undefined && after !== undefined;
}
