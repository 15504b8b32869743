export {
  RpcCallError,
  RpcTransportError,
  createRpcClient,
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
export {
  createDispatcher,
  namespaceOf,
  type AnyHandler,
  type Caller,
  type Dispatcher,
  type DispatcherOptions,
  type PassThrough,
  type RpcAlias,
} from './dispatcher.js';
export { parseEnvelope, type RpcId, type RpcRequest } from './envelope.js';
export { EXECUTION_REVERTED_CODE, FRAMING_CODES, REFUSAL_CODES, refusalCode } from './error-codes.js';
export { createRpcHttpHandler, type RpcHttpOptions } from './http-handler.js';
export { readJson, writeJson } from './json.js';
export { createOpenRpcDocument, type OpenRpcInfo } from './openrpc.js';
export { ExecutionRevertedError, FramingError, RelayedError, type RpcErrorObject } from './rpc-error.js';
export { createRpcWebSocket, type RpcWebSocket, type RpcWebSocketOptions } from './web-socket.js';
