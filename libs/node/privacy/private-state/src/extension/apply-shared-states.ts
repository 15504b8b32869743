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
import type { SharedStateOffer } from './shared-state-check.js';
import type { Known, SharedStates } from './shared-states.js';

/** Maximum number of shares per transaction; further ones are ignored. A contract emits one, and each queries the manager. */
export const MAX_SHARES = 16;

export interface SharingParts {
  /** The public world before the transaction. */
  readonly publicWorld: World;
  readonly privateWorld: World;
  readonly metadata: PendingMetadata;
  readonly roots: StorageRoots;
  readonly sharedStates: SharedStates;
  /** Extensions before the transaction. */
  readonly extensions: ExtensionSource;
  /** Absent where every state that an approved extension shares is accepted. */
  readonly check?: ((offer: Omit<SharedStateOffer, 'block'>) => Promise<Known<boolean>>) | undefined;
}

/** A state shared by an event of a management contract. */
interface Share {
  readonly management: Address;
  readonly contract: Address;
  readonly state: PayloadHash;
  readonly vote: PayloadHash;
}

/**
 * Applies the shared states in the logs of a transaction to private state. A contract whose extension this node approved and
 * that it does not have yet is created; a contract that it has is identified by the payload with its state from then on. A
 * share must be for the contract that the management contract named at its creation, while that extension is pending
 * (docs/adr/0147).
 *
 * Source: docs/spec/contract-extension.md#application
 *
 * @returns the reason when it is impossible now; undefined when it is done, and nothing of the transaction is final yet
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
    management: address,
    contract: event.contract,
    state: payloadHash(state),
    vote: payloadHash(vote),
  };
}

const DONE = { kind: 'known', value: undefined } as const;

/**
 * Creates the contract, if this node voted for the extension; an invalid payload changes nothing. Where a public contract has
 * the address nothing is created, because it would be hidden from private contracts.
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
  // With flag 3 the sender also declares the storage root.
  if (state === undefined || (privacyFlag === 3 && executionRoot !== state.storageRoot)) return DONE;
  const { management, contract } = share;
  const checked = await parts.check?.({ management, contract, stateHash: share.state, state });
  if (checked?.kind === 'unavailable') return checked;
  if (checked?.value === false) return DONE;
  const isImported = await importState(account, state, parts.roots);
  if (isImported && privacyFlag !== 0)
    parts.metadata.add([share.contract], { creation: share.state, privacyFlag });
  return DONE;
}

/**
 * Identifies the contract by the payload with its state, whose parties include the new one.
 *
 * Any account can deploy a contract that emits such an event. The payload must therefore be a state of this contract, with its
 * flag, sent by a party of the payload that identified the contract before (docs/adr/0147).
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
  // An old manager does not report the sender.
  if (sender === undefined) return { kind: 'known', value: true };
  const parties = await sharedStates.partiesOf(share.before.creation);
  return parties.kind === 'unavailable' ? parties : { kind: 'known', value: parties.value.includes(sender) };
}
