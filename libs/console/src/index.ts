export { MAX_REQUEST_BYTES, RefusedRequest, batchOf, parseCalls } from './calls.js';
export { EndpointClient, EndpointUnavailable } from './endpoint-client.js';
export { EndpointsFile, type NetworkEndpoints } from './endpoints-file.js';
export { METHODS_OF_KIND, type EndpointKind } from './methods-of-kind.js';
export { parseWrite, requestOf, type Write } from './parse-write.js';
export { PassedWrites } from './passed-writes.js';
export { assertReadsAllAccounts, shownRollupAnswer } from './rollup-reader.js';
export { WRITES_OF_KIND, type WritableKind } from './write-methods.js';
export type { WriteOutcome } from './write-answer.js';
