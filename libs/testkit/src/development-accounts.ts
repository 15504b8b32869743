import { addressFromPrivateKey, keccak256 } from '@tetrad/crypto';
import type { Address } from '@tetrad/types';

/** An account with a publicly known key: for development networks and tests only, never for value. */
export interface DevelopmentAccount {
  readonly address: Address;
  readonly privateKey: Uint8Array;
}

/** The accounts with the indexes 0 to count - 1; the same ones every time. */
export function developmentAccounts(count: number, family = 'account'): DevelopmentAccount[] {
  return Array.from({ length: count }, (_, index) => {
    const privateKey = keccak256(new TextEncoder().encode(`tetrad development ${family} ${index}`));
    return { address: addressFromPrivateKey(privateKey), privateKey };
  });
}
