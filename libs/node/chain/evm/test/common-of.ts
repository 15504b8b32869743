import { Hardfork, Mainnet, createCustomCommon, type Common } from '@ethereumjs/common';
import type { KZG } from '@ethereumjs/util';
import { verifyProof } from '../../precompiles/test/verify-proof.js';
import type { ForkName } from '../src/index.js';

/** The rules of a fork as EthereumJS holds them. */
export function commonOf(fork: ForkName): Common {
  const hardfork = Hardfork[(fork.charAt(0).toUpperCase() + fork.slice(1)) as keyof typeof Hardfork];
  return createCustomCommon({ name: 'tetrad', chainId: 1 }, Mainnet, {
    hardfork,
    customCrypto: { kzg: { verifyProof } as KZG },
  });
}
