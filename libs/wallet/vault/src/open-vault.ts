import type { ScryptCost } from '@tetrad/crypto';
import type { WalletStore } from '@tetrad/wallet-store';
import { Vault } from './vault.js';

/**
 * Opens the vault of the store with the passphrase; a new database gets one.
 *
 * Fails: VaultError when the passphrase is empty or is not the vault's
 */
export async function openVault(
  store: Pick<WalletStore, 'findVault' | 'createVault'>,
  passphrase: string,
  cost?: ScryptCost,
): Promise<Vault> {
  const existing = await store.findVault();
  if (existing !== undefined) return Vault.open(passphrase, existing);
  const { vault, row } = await Vault.create(passphrase, cost === undefined ? {} : { cost });
  const stored = await store.createVault(row);
  // Somebody else may have been quicker, with a passphrase of his own.
  return Buffer.from(stored.salt).equals(row.salt) ? vault : Vault.open(passphrase, stored);
}
