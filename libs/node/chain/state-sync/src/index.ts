export { SourceError, type SourceFault } from './source-error.js';
export { VerifiedSource, type ReceivedRange } from './verified-source.js';
