import { randomBytes } from 'node:crypto';
import { generatePrivateKey } from '@tetrad/crypto';
import { blsPrivateKeyOf } from './signature/bls.js';
import type { KeyKind } from './signature/key-kind.js';
import { CoinPrivateKey } from './private-key.js';

/** A key from the system's randomness. */
export function generateKey(kind: KeyKind): CoinPrivateKey {
  const entropy = randomBytes(32);
  const bytes = kind === 'bls' ? blsPrivateKeyOf(entropy) : generatePrivateKey();
  try {
    return CoinPrivateKey.fromBytes(kind, bytes);
  } finally {
    entropy.fill(0);
    bytes.fill(0);
  }
}
