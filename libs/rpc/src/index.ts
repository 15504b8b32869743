export type { AnyHandler, Caller, PassThrough } from './caller.js';
export {
  createRpcClient,
  type BatchCall,
  type BatchResults,
  type CallParams,
  type RpcClient,
  type RpcClientOptions,
} from './client.js';
export { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from './codecs.js';
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
export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.js';
export { parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
export { EXECUTION_REVERTED_CODE, FRAMING_CODES, REFUSAL_CODES, refusalCode } from './error-codes.js';
export { createRpcHttpHandler, type RpcHttpOptions } from './http-handler.js';
export { readJson, writeJson } from './json.js';
export { namespaceOf, type RpcAlias } from './method-names.js';
export { createOpenRpcDocument, type OpenRpcInfo } from './openrpc.js';
export { RpcCallError, RpcTransportError } from './rpc-answer.js';
export { ExecutionRevertedError, FramingError, RelayedError, type RpcErrorObject } from './rpc-error.js';
export { createRpcWebSocket, type RpcWebSocket, type RpcWebSocketOptions } from './web-socket.js';
