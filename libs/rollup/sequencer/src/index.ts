export { UnreadableBatchError } from './adoption.js';
export { decodeProvingInput, encodeProvingInput, type ProvingInput } from './proving-input.js';
export { SequencerError } from './sequencer-error.js';
export { Sequencer, type SequencerOptions, type StepResult } from './sequencer.js';
