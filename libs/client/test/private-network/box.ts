import { compile } from '@tetrad/compilers';
import type { Hex } from '@tetrad/types';

const SOURCE = `
pragma solidity ^0.8.0;
contract Box {
  error TooLarge(uint256 limit);
  event Set(uint256 value);
  uint256 public value;
  constructor(uint256 first) { value = first; }
  function set(uint256 next) external {
    if (next > 1000) revert TooLarge(1000);
    require(next != 13, 'unlucky');
    value = next;
    emit Set(next);
  }
}`;

/** What a contract of the tests has, for the clients of both libraries. */
export const BOX_ABI = [
  'constructor(uint256 first)',
  'error TooLarge(uint256 limit)',
  'event Set(uint256 value)',
  'function value() view returns (uint256)',
  'function set(uint256 next)',
] as const;

/** The code that creates it. */
export const { bytecode: BOX_BYTECODE } = compile({ 'Box.sol': { content: SOURCE } }, 'istanbul').get(
  'Box',
) as { readonly bytecode: Hex };
