export type { FinalBatch } from './adopt-batch.js';
export { decodeProvingInput, encodeProvingInput, type ProvingInput } from './proving-input.js';
export { SequencerError, UnreadableBatchError } from './assembly.js';
export { Sequencer, type SequencerOptions, type StepResult } from './sequencer.js';
