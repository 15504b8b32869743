import type { FilledTransaction, SendRequest } from '@tetrad/api-node';
import type { TransactionPool } from '@tetrad/node-pool';
import { assertCarriesNothing } from './raw-private-transactions.js';
import { readDistribution, type Distribution } from './distribution.js';
import type { PayloadDistributor } from './payload-distributor.js';
import type { PrivateStages } from './private-stage.js';
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

/** What private sends need besides what public ones do. */
export interface PrivateSending {
  readonly distributor: PayloadDistributor;
  readonly stages: Pick<PrivateStages, 'switches'>;
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

/** A private transaction with everything decided but its nonce and what it carries. */
interface Plan extends Omit<LegacyFields, 'nonce' | 'data'> {
  readonly sender: Address;
  readonly payload: Uint8Array;
  readonly distribution: Distribution;
}

/** Fills, signs and submits private transactions for the accounts of this node. */
export class PrivateSender {
  constructor(private readonly options: PrivateSenderOptions) {}

  /**
   * Sends the payload to its parties, signs what carries its hash and puts that into the pool.
   *
   * A nonce is taken in the turn of the account, by the pool alone: whatever is refused before has used none.
   *
   * Fails: RequestError of the rules of accounts, privacy, the manager and the pool; as a simulation
   */
  async send(request: SendRequest, signal?: AbortSignal): Promise<Hash> {
    const { pool, queues, signer } = this.options;
    const plan = await this.plan(request, signer.accountOf(request));
    const { sender, to, payload, distribution } = plan;
    // Behind a marker nothing else asks who may do it but its parties.
    await pool.assertPermitted({ sender, data: payload, ...(to === undefined ? {} : { to }) });
    const nonceOf = async () => request.nonce ?? (await pool.pendingNonce(sender));
    // The root that parties of flag 3 compare is over addresses, and so over the nonce of a creation.
    const isBound = distribution.privacyFlag === 3 && plan.to === undefined;
    const early = isBound ? undefined : await this.distribute(plan, await nonceOf(), signal);
    return queues.run(sender, async () => {
      const nonce = await nonceOf();
      const hash = early ?? (await this.distribute(plan, nonce, signal));
      const transaction = this.sign({ ...plan, nonce, data: bytesFromHex(hash) }, sender);
      return pool.add(this.usesMarkers() ? await this.mark(transaction, plan, signal) : transaction);
    });
  }

  /** The transaction to be signed elsewhere; its payload is kept by the manager and sent to nobody yet. */
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
    const { stages, estimateGas } = this.options;
    assertCreates(request);
    const distribution = readDistribution(request, stages.switches().enhancements);
    const { to, data: payload = new Uint8Array(0), value } = request;
    assertCarriesNothing({ value, data: payload });
    // The value of 0 asks for gas with which the hash of the payload can be carried too.
    const gasLimit = request.gas ?? (await estimateGas({ ...request, from: sender, value: 0n }));
    return { sender, to, value: 0n, gasLimit, gasPrice: gasPriceOf(request), payload, distribution };
  }

  private distribute(plan: Plan, nonce: bigint, signal: AbortSignal | undefined): Promise<PayloadHash> {
    return this.options.distributor.distribute({ ...plan, nonce }, plan.distribution, signal);
  }

  private sign(transaction: LegacyFields, account: Address): SignedTransaction {
    return this.options.signer.sign(account, privateEnvelopeOf(transaction));
  }

  private usesMarkers(): boolean {
    return this.options.createsMarkers && this.options.stages.switches().markers;
  }

  /** The public transaction of the same account and nonce behind which the private one goes. */
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
