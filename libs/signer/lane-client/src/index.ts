export { NodeSequenceClient, sequenceCalls, type SequenceCalls } from './node-lane-client.js';
