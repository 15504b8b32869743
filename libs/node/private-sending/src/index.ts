export {
  assertNothingPrivate,
  isPrivateRequest,
  readDistribution,
  type Distribution,
} from './distribution.js';
export { managerError } from './manager-error.js';
export { markedJson } from './marked-json.js';
export { createMarkerSigner, type MarkerSigner } from './marker-signer.js';
export { PayloadDistributor, type Manager } from './payload-distributor.js';
export type { HeadWorlds, PrivateHead } from './head-worlds.js';
export {
  RawPrivateTransactions,
  assertCarriesNothing,
  type RawPrivateTransactionsParts,
} from './raw-private-transactions.js';
export { RestrictedTransactions, type RestrictedTransactionsParts } from './restricted-transactions.js';
export { DryRunFailedError, dryRunPayload, type PrivateCall, type DryRun } from './dry-run-payload.js';
