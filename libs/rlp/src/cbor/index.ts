export { CborReader, type CborFault, type CborReaderOptions } from './cbor-reader.js';
export { cborArray, cborBytes, cborInteger, cborMap, cborText } from './write-cbor.js';
