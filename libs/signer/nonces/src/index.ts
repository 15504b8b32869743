export { readVerdict, type Verdict } from './client-answer.js';
export { idempotencyClaim, type IdempotentRequest } from './idempotent-sends.js';
export {
  FinalRefusal,
  type GivenUp,
  type LaneClient,
  type NonceSend,
  type SignForNonce,
  type SignedBytes,
} from './lane-client.js';
export { NonceLedger, type NonceLedgerOptions } from './nonce-ledger.js';
export { DEFAULT_LEDGER_TIMING, MAX_SUBMISSIONS, type LedgerTiming } from './params.js';
export { RetriesExhaustedError } from './send-errors.js';
