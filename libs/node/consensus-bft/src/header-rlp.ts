import { RlpError, copyOf, encodeRlp, readRlp, readRlpList, type RlpItem } from '@tetrad/rlp';
import {
  addressFromBytes,
  addressToBytes,
  bytesFromScalar,
  hashFromBytes,
  hashToBytes,
  scalarFromBytes,
  type BlockHeader,
  type Hash,
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
  return encodeRlp(headerFields(header));
}

/** How many fields a header may have: to its fork, and never half of one. */
const FIELD_COUNTS = [15, 16, 17, 20, 21];

/** Reads an encoded header. Fails: ConsensusError when the bytes are not what `encodeHeader` writes of some header. */
export function decodeHeader(encoded: Uint8Array): BlockHeader {
  const fields = new HeaderFields(encoded);
  const { length } = fields;
  return {
    parentHash: fields.hash(0),
    ommersHash: fields.hash(1),
    beneficiary: addressFromBytes(fields.bytes(2, 20)),
    stateRoot: fields.hash(3),
    transactionsRoot: fields.hash(4),
    receiptsRoot: fields.hash(5),
    logsBloom: fields.bytes(6, 256),
    difficulty: fields.scalar(7),
    number: fields.count(8),
    gasLimit: fields.scalar(9),
    gasUsed: fields.scalar(10),
    timestamp: fields.count(11),
    extraData: fields.bytes(12),
    mixHash: fields.hash(13),
    nonce: fields.bytes(14, 8),
    ...(length > 15 ? { baseFeePerGas: fields.scalar(15) } : {}),
    ...(length > 16 ? { withdrawalsRoot: fields.hash(16) } : {}),
    ...(length > 19 ? { blobGasUsed: fields.scalar(17), excessBlobGas: fields.scalar(18) } : {}),
    ...(length > 19 ? { parentBeaconBlockRoot: fields.hash(19) } : {}),
    ...(length > 20 ? { requestsHash: fields.hash(20) } : {}),
  };
}

/** Fields by position; a header comes from peers, so that each is checked. */
class HeaderFields {
  private readonly items: readonly RlpItem[];

  constructor(encoded: Uint8Array) {
    this.items = readFields(encoded);
    if (!FIELD_COUNTS.includes(this.items.length))
      throw new ConsensusError('invalid header: wrong number of fields');
  }

  get length(): number {
    return this.items.length;
  }

  /** In: length — how many bytes it must have; any number when left out */
  bytes(index: number, length?: number): Uint8Array {
    const item = this.items[index];
    if (item === undefined || item.isList || item.content.length !== (length ?? item.content.length))
      return this.fail(index);
    return copyOf(item.content);
  }

  hash(index: number): Hash {
    return hashFromBytes(this.bytes(index, 32));
  }

  /** Without leading zeros, at most 256 bits. */
  scalar(index: number): bigint {
    const bytes = this.bytes(index);
    return bytes[0] === 0 || bytes.length > 32 ? this.fail(index) : scalarFromBytes(bytes);
  }

  /** A scalar below 2^53. */
  count(index: number): number {
    const scalar = this.scalar(index);
    return scalar > BigInt(Number.MAX_SAFE_INTEGER) ? this.fail(index) : Number(scalar);
  }

  private fail(index: number): never {
    throw new ConsensusError(`invalid header: field ${index}`);
  }
}

function readFields(encoded: Uint8Array): readonly RlpItem[] {
  try {
    return readRlpList(readRlp(encoded), Math.max(...FIELD_COUNTS));
  } catch (error) {
    if (error instanceof RlpError) throw new ConsensusError(`invalid header: ${error.message}`);
    throw error;
  }
}
