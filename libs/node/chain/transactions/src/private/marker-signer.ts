import { keccak256, type RecoverableSignature } from '@tetrad/crypto';
import { decodeTransaction } from '@tetrad/node-execution';
import type { TransactionEnvelope } from '@tetrad/transactions';
import type { Address, SignedTransaction } from '@tetrad/types';

/** Signer of the markers of restricted transactions, which are sent by the node's account, not by the senders. */
export interface MarkerSigner {
  readonly address: Address;
  readonly chainId: bigint;
  /** @throws RequestError KEY_UNAVAILABLE when the key is in a service that does not sign */
  sign(envelope: TransactionEnvelope): Promise<SignedTransaction>;
}

/** The key that signs markers: the node's own, or one in a service. */
export interface MarkerKey {
  readonly address: Address;
  sign(digest: Uint8Array): Promise<RecoverableSignature>;
}

export function createMarkerSigner(key: MarkerKey, chainId: bigint): MarkerSigner {
  return {
    address: key.address,
    chainId,
    sign: async (envelope) =>
      decodeTransaction(envelope.raw(await key.sign(keccak256(envelope.preimage()))), chainId),
  };
}
