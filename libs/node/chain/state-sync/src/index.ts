export type { Checkpoint } from './header-download.js';
export { SourceError, type SourceFault } from './source-error.js';
export { StateSync, type StateSyncOptions } from './state-sync.js';
export { VerifiedSource, type ReceivedRange } from './verified-source.js';
