import { keccak256 } from '@tetrad/crypto';
import { bytesFromHex, type Address } from '@tetrad/types';
import { recording } from '../../../../../privacy/private-state/test/recorded-chain.js';

const WORD_BYTES = 32;

/** The code that creates a Box, without the argument. Source: Box.sol beside the recorded chains */
const INIT_CODE = (() => {
  const step = recording('private').steps.find(({ name }) => name === 'public box');
  return bytesFromHex(String(step?.args?.['data'])).slice(0, -WORD_BYTES);
})();

/** @param value - of slot 0 */
export function createBox(value: number): Uint8Array {
  return Buffer.concat([INIT_CODE, word(BigInt(value))]);
}

/**
 * Calls a function of a Box.
 * @param signature - as `set(uint256)`
 */
export function callBox(signature: string, ...values: readonly (number | Address)[]): Uint8Array {
  const selector = keccak256(new TextEncoder().encode(signature)).subarray(0, 4);
  return Buffer.concat([selector, ...values.map((value) => word(BigInt(value)))]);
}

function word(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * WORD_BYTES, '0'), 'hex');
}
