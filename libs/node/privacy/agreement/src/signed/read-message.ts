import { FixedFields, startsWith } from './fixed-fields.js';

/**
 * Reads the fields that follow a mark.
 * @param read - returns undefined where the fields contradict each other
 * @returns undefined for a message with another mark, and for one that is too short, too long or not well formed
 */
export function readMessage<T>(
  message: Uint8Array,
  mark: Uint8Array,
  read: (fields: FixedFields) => T | undefined,
): T | undefined {
  if (!startsWith(message, mark)) return undefined;
  const fields = new FixedFields(message.subarray(mark.length));
  try {
    const value = read(fields);
    return fields.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
