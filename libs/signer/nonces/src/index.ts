export { readVerdict, type Verdict } from './client-answer.js';
export { idempotencyClaim, type IdempotentRequest } from './idempotent-sends.js';
export {
  FinalError,
  type GivenUp,
  type ClientChain,
  type SequenceClient,
  type NonceSend,
  type SignForNonce,
  type SignedBytes,
} from './sequence-client.js';
export type { DoubtReason } from './count-doubt.js';
export { NonceManager, type DoubtedSequence, type NonceManagerOptions } from './nonce-manager.js';
export {
  DEFAULT_NONCE_MANAGER_TIMING,
  MAX_COUNT,
  MAX_SUBMISSIONS,
  type NonceManagerTiming,
} from './params.js';
export type { NonceToFill } from './sequence-keeper.js';
export { RetriesExhaustedError } from './send-errors.js';
