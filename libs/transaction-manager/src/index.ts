export { Enclave, type RandomSource, type RawPayload, type SealedPayload } from './enclave/enclave.js';
export { decryptKeyFiles, type KeyFile } from './keys/decrypt-key-files.js';
export { DEFAULT_COST, MAX_COST, decryptKeyFile, encryptKeyFile, type Argon2Cost } from './keys/key-file.js';
export { generateKeyPair, keyPairFromPrivate, type KeyPair } from './keys/key-pair.js';
export { KeyRing, UnknownKeyError } from './keys/key-ring.js';
export { decodeBinaryPayload, encodeBinaryPayload } from './payload/binary-payload.js';
export { decodeCborPayload, encodeCborPayload } from './payload/cbor-payload.js';
export {
  MalformedPayloadError,
  PrivacyFlag,
  payloadHash,
  type EncodedPayload,
} from './payload/encoded-payload.js';
export { ManagerError } from './manager-error.js';
export { openManagerStore } from './store/open-manager-store.js';
export { managerTables } from './store/backup-tables.js';
export {
  TransactionManager,
  type ReceivedPayload,
  type SendRequest,
  type SendSignedRequest,
  type SentPayload,
} from './manager/transaction-manager.js';
export {
  startTransactionManager,
  type RunningTransactionManager,
  type TransactionManagerOptions,
} from './start-transaction-manager.js';
export type { PeerTls } from './party/peer-tls.js';
export type { Recovery } from './recovery/recovery.js';
export { RecoveryResult, type RecoveryOutcome } from './recovery/recovery-outcome.js';
export type { ResidentGroup } from './group/resident-groups.js';
export { DIALECTS } from './import/dump/dialect.js';
export {
  importTessera,
  type TesseraImport,
  type TesseraImportResult,
  type TesseraSource,
} from './import/import-tessera.js';
export { ImportRefusedError } from './import/import-refused-error.js';
