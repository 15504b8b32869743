import type { FilledTransaction, SendRequest } from '@tetrad/api-node';
import type { TransactionPool } from '@tetrad/node-pool';
import { assertCarriesNothing } from './raw-private-transactions.js';
import { readDistribution, type Distribution } from './distribution.js';
import type { PayloadDistributor } from './payload-distributor.js';
import type { PrivateHead } from './head-worlds.js';
import { PRIVACY_PRECOMPILE, type PayloadHash } from '@tetrad/node-private-state';
import {
  PRIVATE_V,
  encodeUnsignedPrivate,
  envelopeOf,
  privateEnvelopeOf,
  type LegacyFields,
} from '@tetrad/transactions';
import { bytesFromHex, type Address, type Hash, type SignedTransaction } from '@tetrad/types';
import type { AccountSigner } from '../account-signer.js';
import type { AccountQueues } from '../account-queues.js';
import { assertCreates, gasPriceOf } from '../build-transaction.js';
import { viewFilled } from '../view-filled.js';

/** Dependencies of private sends in addition to those of public sends. */
export interface PrivateSending {
  readonly distributor: PayloadDistributor;
  readonly head: Pick<PrivateHead, 'switches'>;
  /** Whether this node hides private transactions behind markers, on chains that have them. */
  readonly createsMarkers: boolean;
  /** Gas of a transaction that carries the data to an account without code, in the next block. */
  readonly carryingGas: (data: Uint8Array) => bigint;
}

export interface PrivateSenderOptions extends PrivateSending {
  readonly signer: AccountSigner;
  readonly queues: AccountQueues;
  readonly pool: Pick<TransactionPool, 'add' | 'pendingNonce' | 'assertPermitted'>;
  readonly estimateGas: (request: SendRequest) => Promise<bigint>;
}

/** A private transaction without its nonce and its data, which will be the hash of the payload. */
interface Plan extends Omit<LegacyFields, 'nonce' | 'data'> {
  readonly sender: Address;
  readonly payload: Uint8Array;
  readonly distribution: Distribution;
}

/** Fills, signs and submits private transactions for the accounts of this node. */
export class PrivateSender {
  constructor(private readonly options: PrivateSenderOptions) {}

  /**
   * Sends the payload to its parties, signs the transaction that carries its hash and adds it to the pool.
   *
   * The nonce is chosen in the account's queue, and used when the pool accepts the transaction: a request that is rejected
   * before uses none.
   *
   * @throws RequestError of the rules of accounts, privacy, the manager and the pool; as the dry run
   */
  async send(request: SendRequest, signal?: AbortSignal): Promise<Hash> {
    const { pool, queues, signer } = this.options;
    const plan = await this.plan(request, signer.accountOf(request));
    const { sender, to, payload, distribution } = plan;
    // Behind a marker only private state of the parties checks it; the pool and blocks check the marker.
    await pool.assertPermitted({ sender, data: payload, ...(to === undefined ? {} : { to }) });
    const nonceOf = async () => request.nonce ?? (await pool.pendingNonce(sender));
    // The root that parties of flag 3 compare is over addresses, and so over the nonce of a creation.
    const isBound = distribution.privacyFlag === 3 && plan.to === undefined;
    const early = isBound ? undefined : await this.distribute(plan, await nonceOf(), signal);
    return queues.run(sender, async () => {
      const nonce = await nonceOf();
      const hash = early ?? (await this.distribute(plan, nonce, signal));
      const transaction = await this.sign({ ...plan, nonce, data: bytesFromHex(hash) }, sender);
      return pool.add(this.usesMarkers() ? await this.mark(transaction, plan, signal) : transaction);
    });
  }

  /** The transaction for the client to sign; the manager stores its payload and does not send it yet. */
  async fill(request: SendRequest & { readonly from: Address }): Promise<FilledTransaction> {
    const { pool, distributor, signer } = this.options;
    const plan = await this.plan(request, request.from);
    const nonce = request.nonce ?? (await pool.pendingNonce(request.from));
    const hash = await distributor.store(plan.payload, plan.distribution.from);
    const { gasLimit, gasPrice, to, value } = plan;
    const filled = { nonce, gasLimit, gasPrice, to, value, data: bytesFromHex(hash) };
    const { chainId } = signer;
    const unsigned = { ...filled, chainId, fees: { type: 'legacy', gasPrice } } as const;
    return viewFilled(unsigned, encodeUnsignedPrivate(filled), { v: PRIVATE_V, r: 0n, s: 0n });
  }

  private async plan(request: SendRequest, sender: Address): Promise<Plan> {
    const { head, estimateGas } = this.options;
    assertCreates(request);
    const distribution = readDistribution(request, head.switches().enhancements);
    const { to, data: payload = new Uint8Array(0), value } = request;
    assertCarriesNothing({ value, data: payload });
    // With a value of 0 the estimate includes gas for the hash of the payload.
    const gasLimit = request.gas ?? (await estimateGas({ ...request, from: sender, value: 0n }));
    return { sender, to, value: 0n, gasLimit, gasPrice: gasPriceOf(request), payload, distribution };
  }

  private distribute(plan: Plan, nonce: bigint, signal: AbortSignal | undefined): Promise<PayloadHash> {
    return this.options.distributor.distribute({ ...plan, nonce }, plan.distribution, signal);
  }

  private sign(transaction: LegacyFields, account: Address): Promise<SignedTransaction> {
    return this.options.signer.sign(account, privateEnvelopeOf(transaction));
  }

  private usesMarkers(): boolean {
    return this.options.createsMarkers && this.options.head.switches().markers;
  }

  /** The marker: a public transaction of the same account and nonce, which hides the private one. */
  private async mark(
    transaction: SignedTransaction,
    { sender, gasPrice, distribution }: Plan,
    signal: AbortSignal | undefined,
  ): Promise<SignedTransaction> {
    const { distributor, signer, carryingGas } = this.options;
    const data = bytesFromHex(await distributor.distributeMarked(transaction, distribution, signal));
    const { nonce, value } = transaction;
    const fees = { type: 'legacy', gasPrice } as const;
    const gasLimit = carryingGas(data);
    const marker = { chainId: signer.chainId, nonce, gasLimit, to: PRIVACY_PRECOMPILE, value, data, fees };
    return signer.sign(sender, envelopeOf(marker));
  }
}
