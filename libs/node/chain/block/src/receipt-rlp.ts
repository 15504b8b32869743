import { encodeRlp } from '@tetrad/rlp';
import { addressToBytes, bytesFromScalar, hashToBytes, type Receipt } from '@tetrad/types';

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
    receipt.logs.map(({ address, topics, data }) => [addressToBytes(address), topics.map(hashToBytes), data]),
  ]);
  const type = TYPE_BYTE[receipt.type];
  return type === undefined ? encoded : Buffer.concat([Uint8Array.of(type), encoded]);
}
