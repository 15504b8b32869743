import { bytesFromScalar, scalarFromBytes } from '@tetrad/types';
import { MAX_BIG_INTEGER_BYTES } from './coin-message.js';

const NONE = new Uint8Array(0);

/** Layout: nothing for zero, otherwise sign (1: 0 positive, 1 negative) ‖ magnitude, big-endian without zeros in front. */
export function encodeBigInteger(value: bigint): Uint8Array {
  if (value === 0n) return NONE;
  const magnitude = bytesFromScalar(value < 0n ? -value : value);
  const bytes = new Uint8Array(magnitude.length + 1);
  bytes[0] = value < 0n ? 1 : 0;
  bytes.set(magnitude, 1);
  return bytes;
}

/** The integer of the bytes, or undefined when they have not the one form that it has. */
export function decodeBigInteger(bytes: Uint8Array): bigint | undefined {
  if (bytes.length === 0) return 0n;
  const [sign, highest] = bytes;
  if (bytes.length > MAX_BIG_INTEGER_BYTES || highest === undefined || highest === 0) return undefined;
  if (sign !== 0 && sign !== 1) return undefined;
  const magnitude = scalarFromBytes(bytes.subarray(1));
  return sign === 1 ? -magnitude : magnitude;
}
