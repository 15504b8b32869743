import type { RawPrivacyRequest } from '@tetrad/api-node';
import type { TransactionIntent } from '@tetrad/node-execution';
import { PAYLOAD_HASH_BYTES, type PayloadHash } from '@tetrad/node-private-state';
import { RequestError, type Hash, type SignedTransaction } from '@tetrad/types';
import { readDistribution } from './distribution.js';
import type { PayloadDistributor } from './payload-distributor.js';
import type { PrivateHead } from './head-worlds.js';

export interface RawPrivateTransactionsParts {
  readonly distributor: PayloadDistributor;
  readonly head: Pick<PrivateHead, 'switches'>;
  readonly isPrivate: (transaction: SignedTransaction) => boolean;
  readonly pool: {
    add(transaction: SignedTransaction): Promise<Hash>;
    /** @throws RequestError when the sender is not permitted */
    assertPermitted(intent: TransactionIntent): Promise<void>;
  };
}

/** Sends private transactions that the client signed, over payloads that the manager stores. */
export class RawPrivateTransactions {
  constructor(private readonly parts: RawPrivateTransactionsParts) {}

  /**
   * Distributes the payload and adds the transaction to the pool.
   * @throws RequestError; as the distributor and the pool
   */
  async send(
    transaction: SignedTransaction,
    request: RawPrivacyRequest,
    signal?: AbortSignal,
  ): Promise<Hash> {
    const wanted = await this.check(transaction, request);
    await this.parts.distributor.distributeStored(transaction, wanted, signal);
    return this.parts.pool.add(transaction);
  }

  /**
   * Distributes the payload, and the transaction itself, for a marker that the client signs.
   * @returns the hash that the marker carries as its data
   * @throws as `send`, without the pool
   */
  async distribute(
    transaction: SignedTransaction,
    request: RawPrivacyRequest,
    signal?: AbortSignal,
  ): Promise<PayloadHash> {
    const { distributor } = this.parts;
    const wanted = await this.check(transaction, request);
    const distribution = await distributor.distributeStored(transaction, wanted, signal);
    return distributor.distributeMarked(transaction, distribution, signal);
  }

  /** Rejects what the pool would reject, before the manager gets a request. */
  private async check(transaction: SignedTransaction, request: RawPrivacyRequest) {
    const { isPrivate, head, pool } = this.parts;
    if (!isPrivate(transaction))
      throw new RequestError('NOT_A_PRIVATE_TRANSACTION', 'transaction is not private');
    const distribution = readDistribution(request, head.switches().enhancements);
    assertCarriesNothing(transaction);
    if (transaction.data.length !== PAYLOAD_HASH_BYTES)
      throw new RequestError(
        'INVALID_PAYLOAD_HASH',
        `not the hash of a private payload: ${transaction.data.length} bytes instead of ${PAYLOAD_HASH_BYTES}`,
      );
    await pool.assertPermitted(transaction);
    return distribution;
  }
}

/** @throws RequestError PRIVATE_VALUE_NOT_SUPPORTED, for no data too, in the words of existing nodes */
export function assertCarriesNothing({
  value = 0n,
  data,
}: {
  readonly value?: bigint | undefined;
  readonly data: Uint8Array;
}): void {
  if (value === 0n && data.length > 0) return;
  throw new RequestError(
    'PRIVATE_VALUE_NOT_SUPPORTED',
    'ether value is not supported for private transactions',
  );
}
