import { RLP } from '@ethereumjs/rlp';
import {
  addressFromBytes,
  addressToBytes,
  bytesFromScalar,
  hashFromBytes,
  hashToBytes,
  scalarFromBytes,
  type BlockHeader,
} from '@tetrad/types';
import { ConsensusError } from './consensus-error.js';

/**
 * Fields of a header in the order in which they are hashed and stored:
 *
 * parentHash (32), ommersHash (32), beneficiary (20), stateRoot (32), transactionsRoot (32), receiptsRoot (32),
 * logsBloom (256), difficulty, number, gasLimit, gasUsed, timestamp, extraData, mixHash (32), nonce (8),
 * then from its fork on each: baseFeePerGas, withdrawalsRoot (32), blobGasUsed, excessBlobGas,
 * parentBeaconBlockRoot (32), requestsHash (32)
 */
export function headerFields(header: BlockHeader, extraData: Uint8Array = header.extraData): Uint8Array[] {
  const fields = [
    hashToBytes(header.parentHash),
    hashToBytes(header.ommersHash),
    addressToBytes(header.beneficiary),
    hashToBytes(header.stateRoot),
    hashToBytes(header.transactionsRoot),
    hashToBytes(header.receiptsRoot),
    header.logsBloom,
    bytesFromScalar(header.difficulty),
    bytesFromScalar(header.number),
    bytesFromScalar(header.gasLimit),
    bytesFromScalar(header.gasUsed),
    bytesFromScalar(header.timestamp),
    extraData,
    hashToBytes(header.mixHash),
    header.nonce,
  ];
  if (header.baseFeePerGas !== undefined) fields.push(bytesFromScalar(header.baseFeePerGas));
  if (header.withdrawalsRoot !== undefined) fields.push(hashToBytes(header.withdrawalsRoot));
  if (header.blobGasUsed !== undefined) fields.push(bytesFromScalar(header.blobGasUsed));
  if (header.excessBlobGas !== undefined) fields.push(bytesFromScalar(header.excessBlobGas));
  if (header.parentBeaconBlockRoot !== undefined) fields.push(hashToBytes(header.parentBeaconBlockRoot));
  if (header.requestsHash !== undefined) fields.push(hashToBytes(header.requestsHash));
  return fields;
}

export function encodeHeader(header: BlockHeader): Uint8Array {
  return RLP.encode(headerFields(header));
}

/** Reads an encoded header. Fails: ConsensusError when the fields do not fit. */
export function decodeHeader(encoded: Uint8Array): BlockHeader {
  const fields = RLP.decode(encoded) as Uint8Array[];
  if (!Array.isArray(fields) || ![15, 16, 17, 20, 21].includes(fields.length)) {
    throw new ConsensusError('invalid header: wrong number of fields');
  }
  const bytes = (index: number): Uint8Array => {
    const field = fields[index];
    if (!(field instanceof Uint8Array))
      throw new ConsensusError(`invalid header: field ${index} is not bytes`);
    return field;
  };
  const hash = (index: number) => hashFromBytes(bytes(index));
  const scalar = (index: number) => scalarFromBytes(bytes(index));
  const count = (index: number) => Number(scalar(index));
  const has = (index: number) => fields.length > index;
  return {
    parentHash: hash(0),
    ommersHash: hash(1),
    beneficiary: addressFromBytes(bytes(2)),
    stateRoot: hash(3),
    transactionsRoot: hash(4),
    receiptsRoot: hash(5),
    logsBloom: bytes(6),
    difficulty: scalar(7),
    number: count(8),
    gasLimit: scalar(9),
    gasUsed: scalar(10),
    timestamp: count(11),
    extraData: bytes(12),
    mixHash: hash(13),
    nonce: bytes(14),
    ...(has(15) ? { baseFeePerGas: scalar(15) } : {}),
    ...(has(16) ? { withdrawalsRoot: hash(16) } : {}),
    ...(has(19)
      ? { blobGasUsed: scalar(17), excessBlobGas: scalar(18), parentBeaconBlockRoot: hash(19) }
      : {}),
    ...(has(20) ? { requestsHash: hash(20) } : {}),
  };
}
