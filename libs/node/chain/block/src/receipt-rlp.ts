import { RlpFields, copyOf, encodeRlp } from '@tetrad/rlp';
import {
  addressToBytes,
  bytesFromScalar,
  hashToBytes,
  type Log,
  type Receipt,
  type TransactionType,
} from '@tetrad/types';
import { logsBloom } from './bloom.js';
import { InvalidBlockError } from './header-rlp.js';

const TYPE_BYTE = { legacy: undefined, accessList: 0x01, dynamicFee: 0x02 } as const;

/**
 * A receipt as the receipts root commits to it: type (1, unless legacy) ‖
 * RLP([status, cumulativeGasUsed, logsBloom (256), [[address (20), [topic (32)…], data]…]]); before Byzantium the state
 * root (32) after the transaction in place of the status (EIP-658)
 */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const encoded = encodeRlp([
    receipt.stateRoot === undefined ? bytesFromScalar(receipt.status) : hashToBytes(receipt.stateRoot),
    bytesFromScalar(receipt.cumulativeGasUsed),
    receipt.logsBloom,
    receipt.logs.map(logFields),
  ]);
  const type = TYPE_BYTE[receipt.type];
  return type === undefined ? encoded : Buffer.concat([Uint8Array.of(type), encoded]);
}

/** What a receipt has besides what follows from its logs and its transaction. */
export type BareReceipt = Pick<Receipt, 'status' | 'cumulativeGasUsed' | 'logs'>;

const MAX_TOPICS = 4;

/**
 * A receipt without its type and its bloom, which a reader with the transaction has:
 * RLP([status, cumulativeGasUsed, [[address (20), [topic (32)…], data]…]])
 */
export function encodeBareReceipt({ status, cumulativeGasUsed, logs }: BareReceipt): Uint8Array {
  return encodeRlp([bytesFromScalar(status), bytesFromScalar(cumulativeGasUsed), logs.map(logFields)]);
}

/**
 * Reads what `encodeBareReceipt` wrote; nothing is verified but its form. The result holds no views of the bytes.
 * @param type - of the transaction
 * @throws InvalidBlockError
 */
export function decodeBareReceipt(
  encoded: Uint8Array,
  type: TransactionType,
): BareReceipt & Pick<Receipt, 'type' | 'logsBloom'> {
  const fields = RlpFields.of(encoded, 'invalid receipt', (message) => new InvalidBlockError(message));
  const status = fields.count('status', 1) === 1 ? 1 : 0;
  const cumulativeGasUsed = fields.scalar('cumulativeGasUsed', 8);
  const logs = fields.list('logs').repeated(encoded.length, readLog);
  fields.end();
  return { type, status, cumulativeGasUsed, logs, logsBloom: logsBloom(logs) };
}

function readLog(logs: RlpFields): Log {
  const fields = logs.list('log');
  const address = fields.address('address');
  const topics = fields.list('topics').repeated(MAX_TOPICS, (list) => list.hash('topic'));
  const data = copyOf(fields.bytes('data', logs.encoded.length));
  fields.end();
  return { address, topics, data };
}

function logFields({ address, topics, data }: Log): [Uint8Array, Uint8Array[], Uint8Array] {
  return [addressToBytes(address), topics.map(hashToBytes), data];
}
