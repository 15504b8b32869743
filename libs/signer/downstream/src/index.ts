export { chainProblem, watchChainId, type ChainAnswerer } from './client-chain.js';
export { clientFailure, unusableAnswer } from './client-failure.js';
export { ClientSession } from './client-session.js';
export type { ClientRequest } from './gathered-calls.js';
export type { DownstreamProxy, DownstreamTls } from './connector.js';
export {
  DownstreamClient,
  type DownstreamOptions,
  type ForwardedRequest,
  downstreamPath,
  requestedPath,
} from './downstream-client.js';
export type { Headers } from './forwarded-headers.js';
export {
  parseNodeAnswer,
  readAnswerBody,
  toNodeAnswer,
  type ForwardedResponse,
  type NodeAnswer,
} from './node-answer.js';
