import { parseAddress, type Address } from '@tetrad/types';
import { getCreateAddress } from 'ethers/address';

/**
 * Where a transaction creates a contract. An account uses each nonce once, so what was created there is there for good.
 *
 * @param from - who sent the transaction
 * @param nonce - of the transaction
 * @returns the address of the contract
 */
export function createdAddress(from: Address, nonce: number): Address {
  return parseAddress(getCreateAddress({ from, nonce }));
}

/**
 * Whether an account created a contract before another one, by transactions of its own. What another contract creates may be
 * destroyed and created anew with other code, where the chain is older than Cancun.
 *
 * @param address - of the contract that is asked about
 * @param later - the transaction with the other contract
 * @param reach - how many nonces before it to look at
 * @returns whether it is one of them
 */
export function isCreatedBefore(
  address: Address,
  later: { readonly from: Address; readonly nonce: number },
  reach: number,
): boolean {
  const first = Math.max(0, later.nonce - reach);
  for (let nonce = later.nonce - 1; nonce >= first; nonce -= 1)
    if (createdAddress(later.from, nonce) === address) return true;
  return false;
}
