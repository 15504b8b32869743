import { RlpFields, copyOf, encodeRlp } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, hashToBytes, type BlockHeader, TetradError } from '@tetrad/types';

/** A block or header breaks a rule of its chain, or is not one; the message says which rule. */
export class InvalidBlockError extends TetradError {
  override readonly name: string = 'InvalidBlockError';
  override readonly code: 'INVALID_BLOCK' | 'CONSENSUS_RULE' = 'INVALID_BLOCK';
}

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

/** Limit of the database column. */
const MAX_TIMESTAMP = 2n ** 63n - 1n;

export function encodeHeader(header: BlockHeader): Uint8Array {
  return encodeRlp(headerFields(header));
}

/**
 * Reads an encoded header; a field of a fork may be there only with all those before it.
 * @throws InvalidBlockError when the bytes are not what `encodeHeader` writes of some header
 */
export function decodeHeader(encoded: Uint8Array): BlockHeader {
  const fields = RlpFields.of(encoded, 'invalid header', (message) => new InvalidBlockError(message));
  const header = {
    parentHash: fields.hash('parentHash'),
    ommersHash: fields.hash('ommersHash'),
    beneficiary: fields.address('beneficiary'),
    stateRoot: fields.hash('stateRoot'),
    transactionsRoot: fields.hash('transactionsRoot'),
    receiptsRoot: fields.hash('receiptsRoot'),
    logsBloom: copyOf(fields.exactly('logsBloom', 256)),
    difficulty: fields.scalar('difficulty'),
    number: fields.count('number'),
    gasLimit: fields.scalar('gasLimit'),
    gasUsed: fields.scalar('gasUsed'),
    timestamp: readTimestamp(fields),
    extraData: copyOf(fields.bytes('extraData', encoded.length)),
    mixHash: fields.hash('mixHash'),
    nonce: copyOf(fields.exactly('nonce', 8)),
    ...(fields.isDone ? {} : { baseFeePerGas: fields.scalar('baseFeePerGas') }),
    ...(fields.isDone ? {} : { withdrawalsRoot: fields.hash('withdrawalsRoot') }),
    ...(fields.isDone ? {} : readCancunFields(fields)),
    ...(fields.isDone ? {} : { requestsHash: fields.hash('requestsHash') }),
  };
  fields.end();
  return header;
}

function readTimestamp(fields: RlpFields): bigint {
  const timestamp = fields.scalar('timestamp');
  if (timestamp > MAX_TIMESTAMP) throw new InvalidBlockError('invalid header: timestamp must be below 2^63');
  return timestamp;
}

function readCancunFields(
  fields: RlpFields,
): Pick<BlockHeader, 'blobGasUsed' | 'excessBlobGas' | 'parentBeaconBlockRoot'> {
  return {
    blobGasUsed: fields.scalar('blobGasUsed'),
    excessBlobGas: fields.scalar('excessBlobGas'),
    parentBeaconBlockRoot: fields.hash('parentBeaconBlockRoot'),
  };
}
