export { MAX_REQUEST_BYTES, RefusedRequest, batchOf, parseCalls } from './calls.js';
export { EndpointsFile, type NodeEndpoint } from './endpoints-file.js';
export { NodeClient, NodeUnavailable } from './node-client.js';
export { READ_METHODS } from './read-methods.js';
