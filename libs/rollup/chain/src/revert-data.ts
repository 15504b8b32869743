import { bytesFromHex, isHex } from '@tetrad/types';

/**
 * The bytes that a reverted call returned, at the place where the client puts them in its error: as `data` itself (geth,
 * anvil, ours), or one level down (Hardhat, Parity's line). Out: undefined without them.
 */
export function revertDataOf(data: unknown): Uint8Array | undefined {
  if (typeof data === 'string') return hexAtEnd(data);
  if (typeof data !== 'object' || data === null) return undefined;
  const inner = (data as { readonly data?: unknown }).data;
  return typeof inner === 'string' ? hexAtEnd(inner) : undefined;
}

/** Parity and Nethermind write `Reverted 0x…`. */
function hexAtEnd(text: string): Uint8Array | undefined {
  const hex = text.startsWith('Reverted ') ? text.slice('Reverted '.length) : text;
  return isHex(hex) ? bytesFromHex(hex) : undefined;
}
