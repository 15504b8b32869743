import { hexFromBytes } from '@tetrad/types';

/** Designator of an account that runs the code of another one (EIP-7702), before its address. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;
/** Minimal proxy (EIP-1167), with the address that it delegates to. */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/;

/** In words, what code of no release is. */
export function describeUnknownCode(code: Uint8Array): string {
  if (code.length === 0) return 'there is no code';
  // Both are shorter than a hundred bytes; a code may have megabytes.
  const text = hexFromBytes(code.subarray(0, 100));
  const [, account] = DELEGATION.exec(text) ?? [];
  if (account !== undefined) return `it is an account that runs the code at 0x${account}`;
  const [, target] = MINIMAL_PROXY.exec(text) ?? [];
  if (target !== undefined) return `it is a proxy of 0x${target}`;
  return `its code of ${code.length} bytes is of no version`;
}
