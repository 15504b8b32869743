import { EMPTY_KECCAK } from '@tetrad/crypto';
import { wordFromAddress, type Account, type World } from '@tetrad/node-evm';
import { loadAccount } from '@tetrad/node-execution';
import { readManagementEvent, type ManagementEvent } from '../management/management-events.js';
import { isHex, bytesFromHex, type Address, type Log } from '@tetrad/types';
import type { PendingMetadata, PrivacyMetadata } from '../metadata/privacy-metadata.js';
import { PAYLOAD_HASH_BYTES, payloadHash, type PayloadHash } from '../payload/payload-hash.js';
import type { StorageRoots } from '../execution/state-validation-root.js';
import { importState } from './import-state.js';
import type { ExtensionSource } from './pending-extensions.js';
import { decodeSharedState } from './shared-state.js';
import type { Known, SharedStates } from './shared-states.js';

/** Shares of one transaction that count, the first ones; a management contract emits one, and each asks the manager. */
export const MAX_SHARES = 16;

export interface SharingParts {
  /** As it is before the transaction. */
  readonly publicWorld: World;
  readonly privateWorld: World;
  readonly metadata: PendingMetadata;
  readonly roots: StorageRoots;
  readonly sharedStates: SharedStates;
  /** As they are before the transaction. */
  readonly extensions: ExtensionSource;
}

/** A state that a management contract says is shared. */
interface Share {
  readonly management: Address;
  readonly contract: Address;
  readonly state: PayloadHash;
  readonly vote: PayloadHash;
}

/**
 * Does to private state what the logs of a transaction say of shared states: a contract that this node has approved and does
 * not have yet comes into being; one that it has is known by the payload with its state from then on. Only the contract counts
 * that the management contract named as it was created, and only while that extension is under way (docs/adr/0148).
 *
 * Out:    why that cannot be done now; undefined when it is done, and nothing of the transaction is final yet
 * Source: privacy-and-extension.md, section 5.7
 */
export async function applySharedStates(
  parts: SharingParts,
  logs: readonly Log[],
): Promise<string | undefined> {
  let isRenamed = false;
  const shares = logs.flatMap((log) => readShare(log, readManagementEvent(log)) ?? []);
  for (const share of shares.slice(0, MAX_SHARES)) {
    if ((await parts.extensions.findContract(share.management)) !== share.contract) continue;
    const account = await loadAccount(parts.privateWorld, wordFromAddress(share.contract));
    if (account.codeHash !== EMPTY_KECCAK && isRenamed) continue;
    const apply = account.codeHash === EMPTY_KECCAK ? receive : rename;
    const done = await apply(parts, share, account);
    if (done.kind === 'unavailable') return done.reason;
    if (account.codeHash !== EMPTY_KECCAK) isRenamed = true;
  }
  return undefined;
}

function readShare({ address }: Log, event: ManagementEvent | undefined): Share | undefined {
  if (event?.kind !== 'stateShared') return undefined;
  const state = Buffer.from(event.stateHash, 'base64');
  const vote = isHex(event.uuid) ? bytesFromHex(event.uuid) : new Uint8Array(0);
  if (state.length !== PAYLOAD_HASH_BYTES || vote.length !== PAYLOAD_HASH_BYTES) return undefined;
  return {
    ...{ management: address, contract: event.contract },
    ...{ state: payloadHash(state), vote: payloadHash(vote) },
  };
}

const DONE = { kind: 'known', value: undefined } as const;

/**
 * Brings the contract into being, if this node voted for that; a payload that is not what it should be changes nothing. A public
 * contract at the address would be hidden from private ones, so it stays alone there.
 */
async function receive(parts: SharingParts, share: Share, account: Account): Promise<Known<undefined>> {
  const shared = await loadAccount(parts.publicWorld, wordFromAddress(share.contract));
  if (shared.codeHash !== EMPTY_KECCAK) return DONE;
  const own = await parts.sharedStates.isOwnVote(share.vote, share.management);
  if (own.kind === 'unavailable' || !own.value) return own.kind === 'unavailable' ? own : DONE;
  const found = await parts.sharedStates.findState(share.state);
  if (found.kind === 'unavailable' || found.value === undefined)
    return found.kind === 'unavailable' ? found : DONE;
  const { data, privacyFlag, executionRoot } = found.value;
  const state = decodeSharedState(data, share.contract);
  // With flag 3 the sender has declared the root of the storage besides.
  if (state === undefined || (privacyFlag === 3 && executionRoot !== state.storageRoot)) return DONE;
  const isImported = await importState(account, state, parts.roots);
  if (isImported && privacyFlag !== 0)
    parts.metadata.add([share.contract], { creation: share.state, privacyFlag });
  return DONE;
}

/**
 * Lets the contract be known by the payload with its state, whose parties include the new one.
 *
 * Anybody may send a contract with such an event: what it names must be a state of this contract, under its flag, from a party
 * of the payload that the contract was known by (docs/adr/0148).
 */
async function rename(parts: SharingParts, { contract, state }: Share): Promise<Known<undefined>> {
  const before = (await parts.metadata.find([contract])).get(contract);
  if (before === undefined) return DONE;
  const isPartys = await isFromParty(parts, { contract, state, before });
  if (isPartys.kind === 'unavailable') return isPartys;
  if (isPartys.value) parts.metadata.add([contract], { ...before, creation: state });
  return DONE;
}

async function isFromParty(
  { sharedStates }: SharingParts,
  share: { readonly contract: Address; readonly state: PayloadHash; readonly before: PrivacyMetadata },
): Promise<Known<boolean>> {
  const found = await sharedStates.findState(share.state);
  if (found.kind === 'unavailable') return found;
  const { value: payload } = found;
  if (payload?.privacyFlag !== share.before.privacyFlag) return { kind: 'known', value: false };
  if (decodeSharedState(payload.data, share.contract) === undefined) return { kind: 'known', value: false };
  const { sender } = payload;
  // An old manager does not tell who sent it.
  if (sender === undefined) return { kind: 'known', value: true };
  const parties = await sharedStates.partiesOf(share.before.creation);
  return parties.kind === 'unavailable' ? parties : { kind: 'known', value: parties.value.includes(sender) };
}
