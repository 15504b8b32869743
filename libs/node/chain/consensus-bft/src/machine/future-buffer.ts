import type { ConsensusMessage } from '../messages/consensus-message.js';

/** Heights above the own one for which messages are kept. */
export const MAX_HEIGHTS_AHEAD = 2;

/** Bytes of blocks that all validators together may leave in the buffer. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024;

/** Messages of later heights: per height one of each kind and validator, the one of the newest round. */
export type FutureBuffer = ReadonlyMap<number, ReadonlyMap<string, ConsensusMessage>>;

/**
 * Keeps the message for its height.
 * @returns the same buffer when the message is not kept: its height is too far ahead, its block takes more than the
 *   sender's share, or the buffer has a newer one of the sender
 */
export function bufferMessage(
  buffer: FutureBuffer,
  message: ConsensusMessage,
  { height, validators }: { readonly height: number; readonly validators: number },
): FutureBuffer {
  if (message.height > height + MAX_HEIGHTS_AHEAD) return buffer;
  const share = MAX_BLOCK_BYTES / (validators * MAX_HEIGHTS_AHEAD);
  if (blockBytes(message) > share) return buffer;
  const key = `${message.kind}:${message.sender}`;
  const ofHeight = buffer.get(message.height);
  const earlier = ofHeight?.get(key);
  if (earlier !== undefined && earlier.round >= message.round) return buffer;
  return new Map(buffer).set(message.height, new Map(ofHeight).set(key, message));
}

/** The messages of a height, and the buffer without them and all before. */
export function takeHeight(
  buffer: FutureBuffer,
  height: number,
): { readonly messages: readonly ConsensusMessage[]; readonly rest: FutureBuffer } {
  const rest = new Map([...buffer].filter(([one]) => one > height));
  return { messages: [...(buffer.get(height)?.values() ?? [])], rest };
}

/** How many validators have sent something for a height above. */
export function sendersAbove(buffer: FutureBuffer, height: number): number {
  const senders = new Set<string>();
  for (const [one, messages] of buffer) {
    if (one > height) for (const { sender } of messages.values()) senders.add(sender);
  }
  return senders.size;
}

function blockBytes(message: ConsensusMessage): number {
  return 'block' in message && message.block !== undefined ? message.block.encoded.length : 0;
}
