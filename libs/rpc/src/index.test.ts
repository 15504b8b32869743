import { expect, it } from '@jest/globals';
import * as surface from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'EXECUTION_REVERTED_CODE',
    'ExecutionRevertedError',
    'FRAMING_CODES',
    'FramingError',
    'REFUSAL_CODES',
    'RelayedError',
    'RpcCallError',
    'RpcTransportError',
    'addressCodec',
    'createDispatcher',
    'createOpenRpcDocument',
    'createRpcClient',
    'createRpcHttpHandler',
    'createRpcWebSocket',
    'dataCodec',
    'defineMethod',
    'hashCodec',
    'indexCodec',
    'namespaceOf',
    'optionalParam',
    'param',
    'parseEnvelope',
    'quantityCodec',
    'readJson',
    'refusalCode',
    'writeJson',
  ]);
});
