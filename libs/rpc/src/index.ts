export { addressCodec, dataCodec, hashCodec, indexCodec, quantityCodec } from './codecs.js';
export {
  defineMethod,
  optionalParam,
  param,
  type CallContext,
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
