export { DerivationThreads, type DerivationThreadsOptions } from './derivation-threads.js';
export { derivationMemory, deriveKey, type DeriveKey, type KeyDerivation } from './key-derivation.js';
export { decryptKeyFile, encryptKeyFile, type PlainKey } from './key-file.js';
export { KeystoreError, type KeystoreFault } from './keystore-error.js';
export {
  createKeystore,
  openKeyFile,
  listKeyFiles,
  openKeyFiles,
  openKeystoreFolder,
  readPasswordFile,
  writeKeyFile,
  type Keystore,
} from './keystore.js';
