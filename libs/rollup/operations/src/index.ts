export { AccountDirectory, accountNotFound, accountOpaque } from './account-directory.js';
export type { Check, CheckOutcome } from './check-job.js';
export { createCheckPool, type CheckPool, type CheckPoolOptions } from './check-pool.js';
export { OperationAcceptance, type AcceptanceParts } from './operation-acceptance.js';
export {
  readMoneyOrderCreation,
  readMoneyOrderRedemption,
  readOutboundTransfer,
  type EncryptedBytes,
} from './operation-reader.js';
export {
  register,
  type RegistrationBytes,
  type RegistrationParts,
  type RegistrationStatus,
} from './registration.js';
export { TokenDirectory } from './token-directory.js';
