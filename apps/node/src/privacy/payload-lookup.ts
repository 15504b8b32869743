import { stored } from '@tetrad/node-extension';
import type { Ledger } from '@tetrad/node-ledger';
import { payloadHashOf } from '@tetrad/node-private-state';
import { bytesFromHex, type Hash } from '@tetrad/types';
import type { PrivateParts } from './open-privacy.js';

/**
 * Whether this node's manager has the payload of a transaction of the chain now.
 * @returns a function that throws RequestError TRANSACTION_MANAGER_UNAVAILABLE
 */
export function payloadLookup(
  ledger: Ledger,
  { manager }: Pick<PrivateParts, 'manager'>,
): (transaction: Hash) => Promise<boolean> {
  return async (transaction) => {
    const mined = await ledger.findTransaction(transaction);
    const payload = mined && payloadHashOf(mined.transaction.data);
    return payload !== undefined && stored(await manager.find(bytesFromHex(payload))) !== undefined;
  };
}
