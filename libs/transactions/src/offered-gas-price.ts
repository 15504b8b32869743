import { readRlp, readRlpList } from '@tetrad/rlp';
import { scalarFromBytes } from '@tetrad/types';
import { TYPE_BYTES } from './transaction-envelope.js';

/** Fields of the longest transaction: of one with dynamic fees, with its signature. */
const MAX_FIELDS = 12;

/** Position of the gas price, or of the fee cap. */
const POSITIONS: ReadonlyMap<number | undefined, number> = new Map([
  [TYPE_BYTES.accessList, 2],
  [TYPE_BYTES.dynamicFee, 3],
]);

/**
 * The most that a transaction of ours pays per gas.
 *
 * @param raw - as `TransactionEnvelope.raw` made it
 * @returns wei
 * @throws RlpError for other bytes
 */
export function offeredGasPrice(raw: Uint8Array): bigint {
  const position = POSITIONS.get(raw[0]);
  const fields = readRlpList(readRlp(position === undefined ? raw : raw.subarray(1)), MAX_FIELDS);
  return scalarFromBytes(fields[position ?? 1]?.content ?? new Uint8Array(0));
}
