import { maxGasPrice } from '@tetrad/node-execution';
import { permissionDecisions, permissionViews } from '@tetrad/node-permission-contracts';
import { ZERO_ADDRESS, type Hash, type SignedTransaction } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import type { ContractState } from '../contracts/contract-state.js';

/** What the contracts are told of a transaction. */
export type AskedTransaction = Pick<SignedTransaction, 'sender' | 'to' | 'value' | 'gasLimit' | 'data'> & {
  /** Wei; what it would pay at most. */
  readonly gasPrice: bigint;
};

/** Answers that are kept for one state; blocks have fewer transactions. */
const KEPT_ANSWERS = 20_000;

/** What the contracts say of transactions in one state, each asked about once. */
export class StateDecisions {
  private booted: Promise<boolean> | undefined;
  private readonly answers = new LRUCache<Hash, { readonly allowed: boolean }>({ max: KEPT_ANSWERS });

  constructor(private readonly state: ContractState) {}

  /** Fails: as reads of the state do */
  async allows(transaction: SignedTransaction): Promise<boolean> {
    const known = this.answers.get(transaction.hash);
    if (known !== undefined) return known.allowed;
    const { sender, to, value, gasLimit, data } = transaction;
    const gasPrice = maxGasPrice(transaction);
    const allowed = await this.decide({ sender, ...(to && { to }), value, gasLimit, data, gasPrice });
    this.answers.set(transaction.hash, { allowed });
    return allowed;
  }

  /**
   * Everybody may transact until the contracts say that the network is set up, so that they can be deployed; from then on
   * whoever they do not answer for may not.
   */
  async decide({ sender, to, value, gasPrice, gasLimit, data }: AskedTransaction): Promise<boolean> {
    if (!(await this.isBooted())) return true;
    const { transactionAllowed } = permissionDecisions;
    const target = to ?? ZERO_ADDRESS;
    const answer = await this.state.ask(transactionAllowed, sender, target, value, gasPrice, gasLimit, data);
    return answer ?? false;
  }

  private isBooted(): Promise<boolean> {
    this.booted ??= this.state
      .ask(permissionViews('v2').networkBootStatus)
      .then((answer) => answer ?? false)
      .catch((error: unknown) => {
        this.booted = undefined;
        throw error;
      });
    return this.booted;
  }
}
