export { decryptKeyFile, encryptKeyFile, type PlainKey } from './key-file.js';
export { KeystoreError } from './keystore-error.js';
export {
  createKeystore,
  openKeyFile,
  openKeystoreFolder,
  readPasswordFile,
  writeKeyFile,
  type Keystore,
} from './keystore.js';
