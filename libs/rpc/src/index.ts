export type { AnyHandler, Caller } from './caller.js';
export {
  DEFAULT_ANSWER_BYTES,
  HeldBytes,
  answerBatch,
  type AnswerLimits,
  type WrittenAnswer,
} from './answer-batch.js';
export { createAskingClient, type Asking } from './asking-client.js';
export { assertPermitted } from './assert-permitted.js';
export { acceptAnyLetterCase } from './any-letter-case.js';
export { MemberNames, type Twins } from './member-names.js';
export {
  createRpcClient,
  type BatchCall,
  type BatchResults,
  type CallParams,
  type RpcClient,
  type RpcClientOptions,
} from './client.js';
export {
  addressCodec,
  dataCodec,
  hashCodec,
  indexCodec,
  nonceCodec,
  quantityCodec,
  uint64Codec,
} from './codecs.js';
export {
  defineMethod,
  optionalParam,
  param,
  type CallContext,
  type Connection,
  type Handler,
  type Handlers,
  type MethodDefinition,
  type MethodExample,
  type MethodTable,
  type ParameterDefinition,
  type ParamsOf,
  type ResultOf,
  type Tolerance,
} from './define-method.js';
export { countFirst } from './count-first.js';
export { decodeParams } from './decode-params.js';
export { createDispatcher } from './create-dispatcher.js';
export type {
  DispatchedAnswer,
  Dispatcher,
  DispatcherLimits,
  DispatcherOptions,
  RpcResponse,
} from './dispatcher.js';
export { isObject, parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
export {
  EXECUTION_REVERTED_CODE,
  FRAMING_CODES,
  REQUEST_ERROR_CODES,
  requestErrorCode,
} from './error-codes.js';
export { FairTurns } from './fair-turns.js';
export { HttpCaller } from './http-caller.js';
export { createRpcHttpHandler, type RpcHttpOptions } from './http-handler.js';
export { contentTypeProblem, isJsonMediaType } from './json-media-type.js';
export { writeJson } from './json-text.js';
export { readJson } from './json.js';
export type { GiveWay } from './long-values.js';
export { isLoopback } from './loopback.js';
export { namespaceOf, type RpcAlias } from './method-names.js';
export { createOpenRpcDocument, type OpenRpcInfo } from './openrpc.js';
export { OutgoingAnswers } from './outgoing-answers.js';
export { createRateLimiter, type RateLimiter } from './rate-limiter.js';
export { readBody } from './http-body.js';
export { refuseUpgrade } from './refuse-upgrade.js';
export { onceClosed } from './response-close.js';
export { RpcCallError, RpcTransportError } from './rpc-answer.js';
export {
  ExecutionRevertedError,
  FramingError,
  PrescribedError,
  ForwardedError,
  toErrorObject,
  type RpcError,
  type RpcErrorObject,
} from './rpc-error.js';
export { createRpcWebSocket, type RpcWebSocket, type RpcWebSocketOptions } from './web-socket.js';
export {
  connectRpcWebSocket,
  type RpcWebSocketClient,
  type RpcWebSocketClientOptions,
} from './web-socket-client.js';
