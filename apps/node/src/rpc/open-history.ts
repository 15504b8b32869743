import type { AddressHistory } from '@tetrad/node-address-index';
import { RequestError } from '@tetrad/types';
import type { NodeParts } from './node-parts.js';

/** Time for the index to reach the head, which it does soon after a block. */
const WAIT_MS = 2_000;

/**
 * The index, once it is at the head.
 * @throws RequestError ADDRESS_INDEX_DISABLED, ADDRESS_INDEX_NOT_AVAILABLE while it is filled
 */
export async function openHistory({
  addressIndex,
  addressHistory,
  ledger,
}: Pick<NodeParts, 'addressHistory' | 'addressIndex' | 'ledger'>): Promise<AddressHistory> {
  if (addressIndex === undefined || addressHistory === undefined)
    throw new RequestError('ADDRESS_INDEX_DISABLED', 'this node keeps no index by address (--address-index)');
  const head = ledger.head().header.number;
  if (await addressIndex.reaches(head, WAIT_MS)) return addressHistory;
  const { blockNumber } = addressIndex.head;
  throw new RequestError(
    'ADDRESS_INDEX_NOT_AVAILABLE',
    `the index by address is at block ${blockNumber} of ${head}`,
    { blockNumber },
  );
}
