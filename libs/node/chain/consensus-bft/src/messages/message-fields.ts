import { RlpFields, copyOf } from '@tetrad/rlp';
import { TetradError } from '@tetrad/types';
import type { View } from './consensus-message.js';

/** Bytes from a peer that are not consensus message; the text names the field. */
export class MessageError extends TetradError {
  override readonly name = 'MessageError';
  override readonly code = 'MALFORMED_CONSENSUS_MESSAGE';
}

/** Rounds are 32 bits wide (EEA QBFT, section 4.2). */
const MAX_ROUND = 0xffffffff;

/** The fields of the list that a peer's bytes are; every field fails with a MessageError. */
export function messageFields(bytes: Uint8Array, name: string): RlpFields {
  return RlpFields.of(bytes, name, (message) => new MessageError(message));
}

/** Height and round, which follow each other in most messages. */
export function readView(fields: RlpFields): View {
  return { height: readHeight(fields), round: readRound(fields) };
}

export function readHeight(fields: RlpFields): number {
  return fields.count('sequence');
}

export function readRound(fields: RlpFields, field = 'round'): number {
  return fields.count(field, MAX_ROUND);
}

/** A signature, copied, so that it does not hold the whole message in memory. */
export function readSignature(fields: RlpFields): Uint8Array {
  return copyOf(fields.exactly('signature', 65));
}

/** What is read of a list that holds nothing else. */
export function wholly<T>(fields: RlpFields, read: (fields: RlpFields) => T): T {
  const value = read(fields);
  fields.end();
  return value;
}
