import { managerError } from '@tetrad/node-transactions';
import type { Found, ManagerClient, Outcome } from '@tetrad/transaction-manager-client';
import { RequestError, type PtmKey } from '@tetrad/types';

/** The requests to a transaction manager that extensions need. */
export type ExtensionManager = Pick<
  ManagerClient,
  'encrypt' | 'isSender' | 'mandatoryRecipients' | 'participants' | 'receive' | 'send'
>;

/** @throws RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE */
export function done<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw managerError(outcome);
  return outcome.value;
}

/**
 * The stored value; undefined when the manager does not have it.
 * @throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
 */
export function stored<T>(found: Found<T>): T | undefined {
  if (found.kind === 'unknown') throw managerError(found);
  return found.kind === 'found' ? found.value : undefined;
}

/** A payload that this node's manager sent, with its parties. */
export interface SentPayload {
  /** Undefined when an old manager does not report it. */
  readonly from: PtmKey | undefined;
  readonly parties: readonly PtmKey[];
}

/** @throws RequestError TRANSACTION_MANAGER_REFUSED where the payload is gone; TRANSACTION_MANAGER_UNAVAILABLE */
export async function findSent(manager: ExtensionManager, hash: Uint8Array): Promise<SentPayload> {
  const payload = stored(await manager.receive(hash));
  const parties = stored(await manager.participants(hash));
  if (payload !== undefined && parties !== undefined) return { from: payload.sender, parties };
  const text = 'the payload of the management contract is not there any more';
  throw new RequestError('TRANSACTION_MANAGER_REFUSED', text);
}
