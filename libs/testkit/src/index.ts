export { createTestDatabase, type TestDatabase } from './database.js';
export { testServerUrl } from './database-server.js';
export {
  ChildServiceError,
  isServiceReady,
  startChildService,
  type ChildService,
  type ChildServiceOptions,
} from './child-service.js';
export { developmentAccounts, type DevelopmentAccount } from './development-accounts.js';
export { EVM_ATTACKS, initCodeOf, type EvmAttack } from './evm-attacks.js';
export { FaultyNetwork } from './faulty-network.js';
export { FaultyProxy, type LinkFault } from './faulty-proxy.js';
export { freePort, freePorts } from './free-ports.js';
export { isRunning } from './is-running.js';
export { findPgBouncer, startPgBouncer, type PgBouncer, type PgBouncerOptions } from './pg-bouncer.js';
export { PostgresPair } from './postgres-pair.js';
export { GCP_KEY_VERSION, gcpSignerFile } from './gcp-signer-file.js';
export { childrenOf, findInMemory, formsOfKeys } from './process-memory.js';
export { presign, type PlainTransaction } from './presign.js';
export { percentile, runLoad, type CallOutcome, type LoadOptions } from './rpc-load.js';
export { RecordedChain } from './recorded-chain.js';
export {
  dumpDatabase,
  isToRecord,
  openRecording,
  recordDatabases,
  recordedVersions,
  type Recording,
} from './recorded-database.js';
export { startAzureVaultServer, type AzureFault, type AzureVaultServer } from './azure-vault-server.js';
export { derOf, startGcpKmsServer, type GcpKmsServer } from './gcp-kms-server.js';
export { findMoto, startMoto, type Moto } from './moto.js';
export { locateSoftHsm } from './locate-soft-hsm.js';
export { SHORT_BLOCK_PERIODS } from './short-block-periods.js';
export { findSoftHsm, startSoftHsm, type HsmFault, type SoftHsm } from './soft-hsm.js';
export { isSearch, seededRandom, testSeed } from './test-seed.js';
export { openMeasuredDatabase, reportRowCosts, type ComparedStatement, type RowCost } from './row-costs.js';
export { loadToken } from './token.js';
export {
  VAULT_TOKEN,
  answerVault,
  startVaultServer,
  vaultPlaceOf,
  type VaultServer,
} from './vault-server.js';
export { VirtualClock } from './virtual-clock.js';
export { countAnswers } from './count-answers.js';
export { until } from './until.js';
