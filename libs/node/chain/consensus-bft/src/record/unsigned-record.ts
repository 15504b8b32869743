import { encodeSignedRecord } from './signed-record-rlp.js';

/** The record, as it is stored, of a validator of which it is agreed that it has signed nothing at the height that counts. */
export function unsignedRecord(height: number): {
  readonly height: number;
  readonly round: number;
  readonly record: Uint8Array;
} {
  const view = { height, round: 0 };
  return { ...view, record: encodeSignedRecord({ ...view, roundChange: false }) };
}
