import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { fixed } from '../signed/fixed-fields.js';
import { readMessage } from '../signed/read-message.js';

/** Kinds of messages between managers. Source: docs/spec/contract-repairs.md#messages */
export const REPAIR_KINDS = {
  request: 'agreement-repair-request',
  statement: 'agreement-repair-statement',
  refusal: 'agreement-repair-refusal',
  part: 'agreement-repair-part',
  done: 'agreement-repair-done',
} as const;

/**
 * Why a party does not say what it was asked. `notShared`: it does not have the contract, or has no proof that the party that asks
 * has it. `notAllowed`: its operator has not allowed the whole contract. `notFollowed`: it does not have the block.
 */
export type RepairRefusal = 'notShared' | 'notAllowed' | 'tooLarge' | 'notFollowed';

const REFUSALS: readonly RepairRefusal[] = ['notShared', 'notAllowed', 'tooLarge', 'notFollowed'];
const REFUSAL_MARK = Buffer.from('tetrad/agreement/repair-refusal/v1');
const PART_MARK = Buffer.from('tetrad/agreement/repair-part/v1');

/** Bytes of a whole contract in one message. */
export const PART_BYTES = 60_000;

/** Layout: mark (34) ‖ number of the request (32) ‖ reason (1) */
export function encodeRefusal(request: Hash, reason: RepairRefusal): Uint8Array {
  return Buffer.concat([REFUSAL_MARK, hashToBytes(request), fixed(REFUSALS.indexOf(reason), 1)]);
}

/** @returns undefined for another message, and for one that is not well formed */
export function decodeRefusal(bytes: Uint8Array) {
  return readMessage(bytes, REFUSAL_MARK, (fields) => {
    const request = hashFromBytes(fields.take(32));
    const reason = REFUSALS[Number(fields.bigint(1))];
    return reason && { request, reason };
  });
}

/** Layout: mark (31) ‖ number of the request (32) ‖ number of the part, from 0 (2) ‖ its bytes */
export function encodePart(request: Hash, index: number, part: Uint8Array): Uint8Array {
  return Buffer.concat([PART_MARK, hashToBytes(request), fixed(index, 2), part]);
}

/** As `decodeRefusal`. */
export function decodePart(bytes: Uint8Array) {
  const at = PART_MARK.length + 34;
  if (bytes.length <= at || bytes.length > at + PART_BYTES) return undefined;
  const head = readMessage(bytes.subarray(0, at), PART_MARK, (fields) => ({
    request: hashFromBytes(fields.take(32)),
    index: Number(fields.bigint(2)),
  }));
  return head && { ...head, part: bytes.subarray(at) };
}

/** The parts of a whole contract, in their order. */
export function partsOf(whole: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(whole.length / PART_BYTES) }, (_, index) =>
    whole.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
  );
}
