import type { FilledTransaction, SendRequest } from '@tetrad/api-node';
import { encodeSignature65, keccak256, keccakHash } from '@tetrad/crypto';
import type { Keystore } from '@tetrad/keystore';
import { decodeTransaction } from '@tetrad/node-execution';
import type { TransactionPool } from '@tetrad/node-ledger';
import { encodeUnsigned, envelopeOf, type UnsignedTransaction } from '@tetrad/transactions';
import { RefusalError, type Address, type Hash, type SignedTransaction } from '@tetrad/types';
import { AccountTurns } from './account-turns.js';
import { assertPublic, buildTransaction, senderOf } from './build-transaction.js';

export interface TransactionSenderOptions {
  readonly chainId: bigint;
  readonly keystore: Keystore;
  readonly pool: Pick<TransactionPool, 'add' | 'pendingNonce'>;
  /** Gas that the request needs. Fails: RefusalError, or a revert. */
  readonly estimateGas: (request: SendRequest) => Promise<bigint>;
}

/** Fills, signs and submits transactions for the accounts of this node. */
export class TransactionSender {
  private readonly turns = new AccountTurns();

  constructor(private readonly options: TransactionSenderOptions) {}

  accounts(): readonly Address[] {
    return this.options.keystore.list();
  }

  /**
   * Signs the transaction and puts it into the pool; sends without a nonce get consecutive ones.
   *
   * Fails: RefusalError of the rules of accounts, privacy and the pool
   */
  async send(request: SendRequest): Promise<Hash> {
    assertPublic(request);
    const sender = senderOf(request, this.accounts());
    // Estimating may take long and needs no turn; the nonce does.
    const gasLimit = request.gas ?? (await this.options.estimateGas({ ...request, from: sender }));
    return this.turns.take(sender, async () => {
      const nonce = request.nonce ?? (await this.options.pool.pendingNonce(sender));
      const transaction = buildTransaction(request, { chainId: this.chainIdOf(request), nonce, gasLimit });
      return this.options.pool.add(this.sign(sender, transaction));
    });
  }

  /** The request with everything filled in, unsigned: v, r and s are zero. */
  async fill(request: SendRequest & { readonly from: Address }): Promise<FilledTransaction> {
    assertPublic(request);
    const transaction = buildTransaction(request, {
      chainId: this.chainIdOf(request),
      nonce: request.nonce ?? (await this.options.pool.pendingNonce(request.from)),
      gasLimit: request.gas ?? (await this.options.estimateGas(request)),
    });
    return viewFilled(transaction, encodeUnsigned(transaction), { v: 0n, r: 0n, s: 0n });
  }

  /** Signs without submitting. Fails: RefusalError naming what only the caller can know and left out. */
  async signOnly(request: SendRequest): Promise<FilledTransaction> {
    assertPublic(request);
    const sender = senderOf(request, this.accounts());
    const { gas, nonce } = request;
    if (gas === undefined) throw new RefusalError('GAS_NOT_SPECIFIED', 'gas not specified');
    if (request.gasPrice === undefined && request.maxFeePerGas === undefined) {
      throw new RefusalError(
        'GAS_PRICE_NOT_SPECIFIED',
        'missing gasPrice or maxFeePerGas/maxPriorityFeePerGas',
      );
    }
    if (nonce === undefined) throw new RefusalError('NONCE_NOT_SPECIFIED', 'nonce not specified');
    const transaction = buildTransaction(request, { chainId: this.chainIdOf(request), nonce, gasLimit: gas });
    const signed = this.sign(sender, transaction);
    return viewFilled(transaction, signed.raw, signed);
  }

  /** r ‖ s ‖ v (27 or 28) over a digest of a message. Fails: RefusalError UNKNOWN_ACCOUNT. */
  signDigest(address: Address, digest: Uint8Array): Uint8Array {
    const signature = encodeSignature65(
      this.options.keystore.sign(senderOf({ from: address }, this.accounts()), digest),
    );
    signature[64] = 27 + (signature[64] as number);
    return signature;
  }

  private sign(sender: Address, transaction: UnsignedTransaction): SignedTransaction {
    const envelope = envelopeOf(transaction);
    const signature = this.options.keystore.sign(sender, keccak256(envelope.preimage()));
    return decodeTransaction(envelope.raw(signature), this.options.chainId);
  }

  private chainIdOf(request: SendRequest): bigint {
    const { chainId } = this.options;
    if (request.chainId !== undefined && request.chainId !== chainId) {
      throw new RefusalError(
        'INVALID_CHAIN_ID',
        `chainId does not match node's (have=${request.chainId}, want=${chainId})`,
      );
    }
    return chainId;
  }
}

function viewFilled(
  transaction: UnsignedTransaction,
  raw: Uint8Array,
  { v, r, s }: { readonly v: bigint; readonly r: bigint; readonly s: bigint },
): FilledTransaction {
  const { fees } = transaction;
  return {
    raw,
    tx: {
      type: fees.type,
      nonce: transaction.nonce,
      gasPrice: fees.type === 'dynamicFee' ? null : fees.gasPrice,
      ...(fees.type === 'dynamicFee'
        ? { maxFeePerGas: fees.maxFeePerGas, maxPriorityFeePerGas: fees.maxPriorityFeePerGas }
        : {}),
      gas: transaction.gasLimit,
      value: transaction.value,
      input: transaction.data,
      ...(fees.type === 'legacy'
        ? {}
        : {
            accessList: fees.accessList.map(({ address, storageKeys }) => ({
              address,
              storageKeys: [...storageKeys],
            })),
            chainId: transaction.chainId,
          }),
      v,
      r,
      s,
      to: transaction.to ?? null,
      hash: keccakHash(raw),
    },
  };
}
