export { DEFAULT_SCRYPT_COST } from './derive-sealing-key.js';
export { openVault } from './open-vault.js';
export { Vault, type UnsealedKey } from './vault.js';
export { DamagedKeyError, VaultError } from './vault-error.js';
