/**
 * The client of a holder for browsers, whose declarations name no other package.
 *
 * @module @tetrad/client/rollup
 */
export type { JournalStore as RollupJournal } from '../account/journal-store.js';
export { openBrowserJournal } from './browser-journal.js';
export type { ChainClient } from './chain-client.js';
export { isOutcomeUnknown, isProofError, refusalReasonOf } from './error-kinds.js';
export {
  exitRollupAccount,
  type ExitRollupAccountParameters,
  type RollupExitStep,
  type UnitsOfToken,
} from './exit-rollup-account.js';
export { getRollupToken, type TokenOfRollup } from './get-rollup-token.js';
export type {
  AcceptedOperation,
  HeldAccount,
  ProvedRollupState,
  RollupOrder,
  SettledRollupOperation,
} from './held-account.js';
export { openRollupAccount, type OpenRollupAccountParameters } from './open-rollup-account.js';
export { registerRollupAccount, type RegisteredStatus } from './register-rollup-account.js';
export { rollupActions, type RollupActions } from './rollup-actions.js';
export { rollupHolder, type RollupHolder } from './rollup-holder.js';
export type { RollupPlace } from './rollup-place.js';
