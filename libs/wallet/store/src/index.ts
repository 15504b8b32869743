export type { AuditJournal } from './audit-journal.js';
export type { AuditQuery } from './hot/list-audit.js';
export type { Resealed } from './reseal.js';
export type { SealedKeys } from './sealed-keys.js';
export type {
  AuditAction,
  AuditRecord,
  KeyDescription,
  KeyKind,
  SealedKey,
  StoredAuditRecord,
  StoredKey,
  SealingParameters,
} from './wallet-rows.js';
export type { AddressSet } from './key-rows.js';
export { openWalletStore, type WalletStore } from './wallet-store.js';
export { PassphraseChangedError, WalletStoreError } from './parse-key-row.js';
export { DEFAULT_SCRYPT_COST, DamagedKeyError, SealingError } from './vault/derive-sealing-key.js';
export { openKeySealer } from './vault/open-key-sealer.js';
export { KeySealer, type UnsealedKey } from './vault/key-sealer.js';
