export type { KeysCheckId } from './key-entry.js';
export { KeyLoadError } from './key-load-error.js';
export type { KeyProgress, KeysCheck } from './key-progress.js';
export type { KeySourceSettings } from './key-source.js';
export type { FailedKey, KeyDifference } from './key-table.js';
export type { ReloadAnswer, ReloadStatus } from './reload-operation.js';
export type { SingleVaultKey } from './single-key.js';
export { SigningKeys } from './signing-keys.js';
export type { SigningKeysDependencies, SigningKeysOptions } from './signing-keys-options.js';
