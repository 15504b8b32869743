import type { PtmKey } from '@tetrad/types';

/** Between whom a message is. */
export interface MessagePair {
  /** A key of the sender's manager. */
  readonly from: PtmKey;
  /** A key of the recipient's manager. */
  readonly to: PtmKey;
}

/** A short message from the node of one party to that of another. What it means is the nodes' matter. */
export interface PartyMessage extends MessagePair {
  /** Which part of the node it is for: 1 to 32 of a to z, 0 to 9 and `-`. */
  readonly kind: string;
  /** At most 65,536 bytes. */
  readonly body: Uint8Array;
}

/** A message with its place among those of the same two keys. */
export interface OrderedMessage extends PartyMessage {
  /** Grows from message to message. */
  readonly order: bigint;
}

/** A message that has come, and waits for the node. */
export interface ReceivedMessage extends PartyMessage {
  /** By which the node acknowledges it: two numbers with `-` between them. */
  readonly id: string;
}

/** Names a message that has come, in this database and in one that was restored from it. */
export interface MessageId {
  readonly sequence: bigint;
  /** At random, below `MAX_TAG`. */
  readonly tag: number;
}

export const MAX_TAG = 2 ** 31;

/** Maximum number of bytes of a body. */
export const MAX_MESSAGE_BYTES = 65_536;

const KIND = /^[a-z0-9-]{1,32}$/;

export function isKind(text: string): boolean {
  return KIND.test(text);
}
