import { expect, it } from '@jest/globals';
import * as surface from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'EXECUTION_REVERTED_CODE',
    'ExecutionRevertedError',
    'FRAMING_CODES',
    'FramingError',
    'HttpCaller',
    'REFUSAL_CODES',
    'RelayedError',
    'RpcCallError',
    'RpcTransportError',
    'addressCodec',
    'assertPermitted',
    'createDispatcher',
    'createOpenRpcDocument',
    'createRateLimiter',
    'createRpcClient',
    'createRpcHttpHandler',
    'createRpcWebSocket',
    'dataCodec',
    'defineMethod',
    'hashCodec',
    'indexCodec',
    'isObject',
    'namespaceOf',
    'optionalParam',
    'param',
    'parseEnvelope',
    'quantityCodec',
    'readBody',
    'readJson',
    'refusalCode',
    'toErrorObject',
    'writeJson',
  ]);
});
