import { managerError } from '@tetrad/node-transactions';
import type { Found, ManagerClient, Outcome } from '@tetrad/transaction-manager-client';
import { RequestError, type PtmKey } from '@tetrad/types';

/** What extensions ask of a transaction manager. */
export type ExtensionManager = Pick<
  ManagerClient,
  'encrypt' | 'isSender' | 'mandatoryRecipients' | 'participants' | 'receive' | 'send'
>;

/** Fails: RequestError TRANSACTION_MANAGER_REFUSED, TRANSACTION_MANAGER_UNAVAILABLE */
export function done<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'done') throw managerError(outcome);
  return outcome.value;
}

/** What the manager stores; undefined where it has none. Fails: RequestError TRANSACTION_MANAGER_UNAVAILABLE */
export function stored<T>(found: Found<T>): T | undefined {
  if (found.kind === 'unknown') throw managerError(found);
  return found.kind === 'found' ? found.value : undefined;
}

/** A payload that this node's manager sent, and to whom. */
export interface SentPayload {
  /** Undefined where an old manager does not tell. */
  readonly from: PtmKey | undefined;
  readonly parties: readonly PtmKey[];
}

/** Fails: RequestError TRANSACTION_MANAGER_REFUSED where the payload is gone; TRANSACTION_MANAGER_UNAVAILABLE */
export async function findSent(manager: ExtensionManager, hash: Uint8Array): Promise<SentPayload> {
  const payload = stored(await manager.receive(hash));
  const parties = stored(await manager.participants(hash));
  if (payload !== undefined && parties !== undefined) return { from: payload.sender, parties };
  const text = 'the payload of the management contract is not there any more';
  throw new RequestError('TRANSACTION_MANAGER_REFUSED', text);
}
