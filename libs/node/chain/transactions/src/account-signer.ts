import { encodeSignature65, keccak256 } from '@tetrad/crypto';
import type { Keystore } from '@tetrad/keystore';
import { decodeTransaction } from '@tetrad/node-execution';
import type { TransactionEnvelope } from '@tetrad/transactions';
import type { Address, SignedTransaction } from '@tetrad/types';
import { senderOf } from './build-transaction.js';

/** Signs with the accounts of the node. */
export class AccountSigner {
  constructor(
    private readonly keystore: Keystore,
    readonly chainId: bigint,
  ) {}

  accounts(): readonly Address[] {
    return this.keystore.list();
  }

  /**
   * The account that a request is sent from.
   * @throws RequestError UNKNOWN_ACCOUNT, NO_DEFAULT_ACCOUNT
   */
  accountOf(request: { readonly from?: Address }): Address {
    return senderOf(request, this.accounts());
  }

  /**
   * @throws RequestError KEY_UNAVAILABLE when the service of the key does not sign; no signature is used any more then
   */
  async sign(account: Address, envelope: TransactionEnvelope): Promise<SignedTransaction> {
    const signature = await this.keystore.sign(account, keccak256(envelope.preimage()));
    return decodeTransaction(envelope.raw(signature), this.chainId);
  }

  /**
   * r ‖ s ‖ v (27 or 28) over a digest of a message.
   * @throws RequestError UNKNOWN_ACCOUNT, KEY_UNAVAILABLE
   */
  async signDigest(address: Address, digest: Uint8Array): Promise<Uint8Array> {
    const account = this.accountOf({ from: address });
    const signature = encodeSignature65(await this.keystore.sign(account, digest));
    signature[64] = 27 + (signature[64] as number);
    return signature;
  }
}
