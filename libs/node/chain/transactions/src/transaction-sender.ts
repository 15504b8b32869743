import type { FilledTransaction, SendRequest } from '@tetrad/api-node';
import type { Keystore } from '@tetrad/keystore';
import { isPrivateTransaction } from '@tetrad/node-execution';
import type { TransactionPool } from '@tetrad/node-pool';
import { assertNothingPrivate, isPrivateRequest } from './private/distribution.js';
import { PAYLOAD_HASH_BYTES } from '@tetrad/node-private-state';
import { encodeUnsigned, envelopeOf, privateEnvelopeOf } from '@tetrad/transactions';
import { RequestError, type Address, type Hash } from '@tetrad/types';
import { AccountSigner } from './account-signer.js';
import { AccountQueues } from './account-queues.js';
import { assertCreates, buildTransaction, gasPriceOf } from './build-transaction.js';
import { PrivateSender, type PrivateSending } from './private/private-sender.js';
import { isSame, repriced, type Repricing } from './repriced-transaction.js';
import { viewFilled } from './view-filled.js';

export interface TransactionSenderOptions {
  readonly chainId: bigint;
  readonly keystore: Keystore;
  readonly pool: Pick<TransactionPool, 'add' | 'pendingNonce' | 'transactionAt' | 'assertPermitted'>;
  /**
   * Gas that the request needs.
   * @throws RequestError, or a revert
   */
  readonly estimateGas: (request: SendRequest) => Promise<bigint>;
  /** Absent on a node without a transaction manager. */
  readonly privacy?: PrivateSending | undefined;
}

/** Fills, signs and submits transactions for the accounts of this node. */
export class TransactionSender {
  private readonly queues = new AccountQueues();
  private readonly signer: AccountSigner;
  private readonly private: PrivateSender | undefined;

  constructor(private readonly options: TransactionSenderOptions) {
    const { keystore, chainId, pool, estimateGas, privacy } = options;
    this.signer = new AccountSigner(keystore, chainId);
    const { signer, queues } = this;
    this.private = privacy && new PrivateSender({ ...privacy, signer, queues, pool, estimateGas });
  }

  accounts(): readonly Address[] {
    return this.signer.accounts();
  }

  /**
   * Signs the transaction and adds it to the pool; sends without a nonce get consecutive ones.
   * @throws RequestError of the rules of accounts, privacy and the pool
   */
  async send(request: SendRequest): Promise<Hash> {
    if (isPrivateRequest(request)) {
      this.chainIdOf(request);
      return this.privately().send(request);
    }
    assertPublic(request);
    const sender = this.signer.accountOf(request);
    // Estimating may take long and is done outside of the account's queue; the nonce is chosen in it.
    const gasLimit = request.gas ?? (await this.options.estimateGas({ ...request, from: sender }));
    return this.queues.run(sender, async () => {
      const nonce = request.nonce ?? (await this.options.pool.pendingNonce(sender));
      const transaction = buildTransaction(request, { chainId: this.chainIdOf(request), nonce, gasLimit });
      return this.options.pool.add(await this.signer.sign(sender, envelopeOf(transaction)));
    });
  }

  /**
   * Signs a transaction of the pool again with another price or gas limit, and replaces the first.
   * @throws RequestError as `send`; NONCE_NOT_SPECIFIED, TRANSACTION_NOT_FOUND when the pool holds no such transaction
   */
  async resend(request: SendRequest, change: Repricing): Promise<Hash> {
    if (!isPrivateRequest(request)) assertPublic(request);
    const sender = this.signer.accountOf(request);
    const { nonce } = request;
    if (nonce === undefined)
      throw new RequestError('NONCE_NOT_SPECIFIED', 'missing transaction nonce in transaction spec');
    const chainId = this.chainIdOf(request);
    return this.queues.run(sender, async () => {
      const pooled = this.options.pool.transactionAt(sender, nonce);
      if (pooled === undefined || !isSame(request, pooled))
        throw new RequestError(
          'TRANSACTION_NOT_FOUND',
          `transaction with nonce ${nonce} not found in the pool`,
        );
      const again = repriced(pooled, change);
      // The transaction in the pool decides: signed the other way, a private one would become public.
      const envelope = isPrivateTransaction(pooled)
        ? privateEnvelopeOf({ ...again, gasPrice: again.fees.type === 'legacy' ? again.fees.gasPrice : 0n })
        : envelopeOf({ ...again, chainId });
      return this.options.pool.add(await this.signer.sign(sender, envelope));
    });
  }

  /** The request with everything filled in, unsigned: v, r and s are zero. */
  async fill(request: SendRequest & { readonly from: Address }): Promise<FilledTransaction> {
    if (isPrivateRequest(request)) {
      this.chainIdOf(request);
      return this.privately().fill(request);
    }
    assertPublic(request);
    const transaction = buildTransaction(request, {
      chainId: this.chainIdOf(request),
      nonce: request.nonce ?? (await this.options.pool.pendingNonce(request.from)),
      gasLimit: request.gas ?? (await this.options.estimateGas(request)),
    });
    return viewFilled(transaction, encodeUnsigned(transaction), { v: 0n, r: 0n, s: 0n });
  }

  /**
   * Signs without submitting. The data of a private transaction must be the hash of its payload already. Empty data is
   * signed too, as it reveals nothing; the pool rejects private transfers.
   * @throws RequestError naming a member that the caller must provide and left out; EMPTY_CONTRACT_CREATION,
   *   INVALID_PAYLOAD_HASH
   */
  async signOnly(request: SendRequest): Promise<FilledTransaction> {
    if (!isPrivateRequest(request)) assertPublic(request);
    const sender = this.signer.accountOf(request);
    const { gas, nonce } = request;
    if (gas === undefined) throw new RequestError('GAS_NOT_SPECIFIED', 'gas not specified');
    if (request.gasPrice === undefined && request.maxFeePerGas === undefined) {
      throw new RequestError(
        'GAS_PRICE_NOT_SPECIFIED',
        'missing gasPrice or maxFeePerGas/maxPriorityFeePerGas',
      );
    }
    if (nonce === undefined) throw new RequestError('NONCE_NOT_SPECIFIED', 'nonce not specified');
    const transaction = buildTransaction(request, { chainId: this.chainIdOf(request), nonce, gasLimit: gas });
    if (!isPrivateRequest(request)) {
      const signed = await this.signer.sign(sender, envelopeOf(transaction));
      return viewFilled(transaction, signed.raw, signed);
    }
    assertCreates(request);
    const { length } = transaction.data;
    if (length > 0 && length !== PAYLOAD_HASH_BYTES)
      throw new RequestError('INVALID_PAYLOAD_HASH', 'data: not the 64 bytes hash of a private payload');
    const gasPrice = gasPriceOf(request);
    const signed = await this.signer.sign(sender, privateEnvelopeOf({ ...transaction, gasPrice }));
    return viewFilled({ ...transaction, fees: { type: 'legacy', gasPrice } }, signed.raw, signed);
  }

  /**
   * r ‖ s ‖ v (27 or 28) over a digest of a message.
   * @throws RequestError UNKNOWN_ACCOUNT, KEY_UNAVAILABLE
   */
  signDigest(address: Address, digest: Uint8Array): Promise<Uint8Array> {
    return this.signer.signDigest(address, digest);
  }

  /** @throws RequestError PRIVACY_NOT_AVAILABLE */
  private privately(): PrivateSender {
    if (this.private !== undefined) return this.private;
    throw new RequestError('PRIVACY_NOT_AVAILABLE', 'private transactions are not enabled on this node');
  }

  private chainIdOf(request: SendRequest): bigint {
    const { chainId } = this.options;
    if (request.chainId !== undefined && request.chainId !== chainId) {
      throw new RequestError(
        'INVALID_CHAIN_ID',
        `chainId does not match node's (have=${request.chainId}, want=${chainId})`,
      );
    }
    return chainId;
  }
}

/** @throws RequestError NOT_A_PRIVATE_TRANSACTION, EMPTY_CONTRACT_CREATION */
function assertPublic(request: SendRequest): void {
  assertNothingPrivate(request);
  assertCreates(request);
}
