export type { FinalBatch } from './adopt-batch.js';
export { decodeProvingInput, encodeProvingInput, type ProvingInput } from './proving-input.js';
export { SequencerError, UnreadableBatchError } from './assembly.js';
export { FairOrder, type FairRates, type Ordered } from './fair-order.js';
export {
  Sequencer,
  type PendingOptions,
  type SequencerOptions,
  type ServedRequests,
  type StepResult,
} from './sequencer.js';
