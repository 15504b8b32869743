export { HistoryFill, type HistoryFillOptions } from './history/history-fill.js';
export type { Checkpoint } from './header-download.js';
export type { EvidenceOfRun, HeaderEvidence, JoinedChain, KnownHeader } from './header-evidence.js';
export { LogEvidence, type LogEvidenceOptions, type LoggedBlock } from './log-evidence.js';
export { SealEvidence } from './seal-evidence.js';
export { SourceError, type SourceFault } from './source-error.js';
export { StateSync, type StateSyncOptions } from './state-sync.js';
export { VerifiedSource, type ReceivedRange } from './verified-source.js';
