import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction } from '@tetrad/node-execution';
import type { TransactionEnvelope } from '@tetrad/transactions';
import type { Address, SignedTransaction } from '@tetrad/types';

/** Signer of the markers of restricted transactions, which are sent by the node's account, not by the senders. */
export interface MarkerSigner {
  readonly address: Address;
  readonly chainId: bigint;
  sign(envelope: TransactionEnvelope): SignedTransaction;
}

/** Signs with the node key. In: nodeKey — 32 bytes, which are kept */
export function createMarkerSigner(nodeKey: Uint8Array, chainId: bigint): MarkerSigner {
  return {
    ...{ address: addressFromPrivateKey(nodeKey), chainId },
    sign: (envelope) =>
      decodeTransaction(envelope.raw(signDigest(keccak256(envelope.preimage()), nodeKey)), chainId),
  };
}
