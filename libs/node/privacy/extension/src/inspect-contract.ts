import { EMPTY_KECCAK } from '@tetrad/crypto';
import { dumpAccount, readCode, type WorldState } from '@tetrad/node-execution';
import {
  MAX_SHARED_SLOTS,
  MAX_SHARED_STATE_BYTES,
  encodeSharedState,
  withSlots,
} from '@tetrad/node-private-state';
import type { PrivateHead } from '@tetrad/node-transactions';
import type { PrivateStateStore } from '@tetrad/node-store';
import { RequestError, bytesFromHex, type Address, type Hash, type PtmKey } from '@tetrad/types';
import { inspectExtensions, type Hearing, type InspectedExtension } from './inspect-extensions.js';
import type { ManagementContracts } from './management-contracts.js';
import { stored, type ExtensionManager } from './manager-answers.js';
import { findReferences, type ReferredContract } from './referred-contracts.js';

export interface InspectionParts {
  readonly store: Pick<PrivateStateStore, 'findExtension' | 'listExtendedTo' | 'listExtensionsOf'>;
  readonly manager: ExtensionManager;
  /** Undefined where the parties of contracts are not asked. */
  readonly hearing: Hearing | undefined;
  readonly management: Pick<ManagementContracts, 'read'>;
  readonly head: Pick<PrivateHead, 'run'>;
  /**
   * Private state at the head.
   * @throws RequestError PRIVATE_STATE_NOT_AVAILABLE
   */
  readonly headState: () => Promise<{ readonly block: number; readonly world: WorldState }>;
}

/** A contract as this node has it. */
export interface HeldContract {
  readonly codeHash: Hash;
  readonly codeBytes: number;
  /** Balance in wei. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly storageRoot: Hash;
  readonly privacyFlag: number;
  /** Undefined with flag 0, for which no node records the parties. */
  readonly parties: readonly PtmKey[] | undefined;
  /** Of what would be shared; undefined for a contract of more slots than may be. */
  readonly slots: number | undefined;
  /** Size of what would be shared; undefined as `slots`. */
  readonly sharedBytes: number | undefined;
  readonly isShareable: boolean;
  readonly refersTo: readonly ReferredContract[];
  /** Whether code and storage were searched completely for `refersTo`. */
  readonly isSearchComplete: boolean;
}

export interface InspectedContract {
  readonly block: number;
  readonly contract: Address;
  /** Undefined on a node that does not have the contract, such as that of the recipient. */
  readonly held: HeldContract | undefined;
  /** Active extensions of the contract, the first of them. */
  readonly extensions: readonly InspectedExtension[];
  readonly extensionCount: number;
}

export const SHARED_STATE_LIMITS = { slots: MAX_SHARED_SLOTS, bytes: MAX_SHARED_STATE_BYTES } as const;

/**
 * What a node can tell of a contract before it is extended, and of its extensions before they are approved.
 *
 * Cost: reads every slot up to the limit, and looks up 10,000 addresses at most
 *
 * @param address - of the contract, or of the management contract of an active extension of it
 * @param newParty - the manager key of the new party; when absent, that of the active extension if there is only one
 * @throws RequestError NOT_A_PRIVATE_CONTRACT when the node knows neither contract nor extension;
 *   PRIVATE_STATE_NOT_AVAILABLE; TRANSACTION_MANAGER_UNAVAILABLE
 */
export async function inspectContract(
  parts: InspectionParts,
  address: Address,
  newParty: PtmKey | undefined,
): Promise<InspectedContract> {
  const contract = (await parts.store.findExtension(address))?.contract ?? address;
  const rows = await parts.store.listExtensionsOf(contract);
  const { block, world } = await parts.headState();
  const recipientKey = newParty ?? (rows.length === 1 ? rows[0]?.recipientKey : undefined);
  const held = await readHeld(parts, world, { contract, recipientKey });
  if (held === undefined && rows.length === 0)
    throw new RequestError(
      'NOT_A_PRIVATE_CONTRACT',
      'this node has no private contract at the address, and knows no extension of one',
    );
  const extensions = await inspectExtensions(parts, { block, world }, rows);
  return { block, contract, held, extensions, extensionCount: rows.length };
}

async function readHeld(
  parts: InspectionParts,
  world: WorldState,
  { contract, recipientKey }: { readonly contract: Address; readonly recipientKey: PtmKey | undefined },
): Promise<HeldContract | undefined> {
  const account = await (await world.settled()).findAccount(contract);
  if (account === undefined || account.codeHash === EMPTY_KECCAK) return undefined;
  const code = await readCode(world, contract);
  const dump = await dumpAccount(world, contract, MAX_SHARED_SLOTS);
  const state = typeof dump === 'object' ? withSlots(dump) : undefined;
  const sharedBytes = state && encodeSharedState(contract, state).length;
  const metadata = await parts.head.run(async (at) => (await at.metadata.find([contract])).get(contract));
  const { codeHash, balance, nonce, storageRoot } = account;
  return {
    codeHash,
    codeBytes: code.length,
    balance,
    nonce,
    storageRoot,
    privacyFlag: metadata?.privacyFlag ?? 0,
    parties: metadata && stored(await parts.manager.participants(bytesFromHex(metadata.creation))),
    slots: state?.storage.size,
    sharedBytes,
    isShareable: sharedBytes !== undefined && sharedBytes <= MAX_SHARED_STATE_BYTES,
    ...(await findReferences(parts, world, { contract, code, storage: state?.storage, recipientKey })),
  };
}
