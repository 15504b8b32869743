export { NodeSequenceClient, sequenceCalls, type SequenceCalls } from './node-sequence-client.js';
