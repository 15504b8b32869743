import type { ScryptCost } from '@tetrad/crypto';
import type { WalletStore } from '../wallet-store.js';
import { KeySealer } from './key-sealer.js';

/**
 * Opens the key sealer of the store with the passphrase; a new database gets new parameters.
 * @throws SealingError when the passphrase is empty or is not the sealer's
 */
export async function openKeySealer(
  store: Pick<WalletStore, 'findSealingParameters' | 'createSealingParameters'>,
  passphrase: string,
  cost?: ScryptCost,
): Promise<KeySealer> {
  const existing = await store.findSealingParameters();
  if (existing !== undefined) return KeySealer.open(passphrase, existing);
  const { sealer, row } = await KeySealer.create(passphrase, cost === undefined ? {} : { cost });
  const stored = await store.createSealingParameters(row);
  // Another process may have been first, with another passphrase.
  return Buffer.from(stored.salt).equals(row.salt) ? sealer : KeySealer.open(passphrase, stored);
}
