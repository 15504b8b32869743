import type { Address } from '@tetrad/types';
import { NonceTurns } from './nonce-turns.js';
import type { ClientCall, SendPlan } from './send-plan.js';
import { signTransaction, type SigningAccounts } from './sign-transaction.js';

/** The Ethereum client behind the proxy, on behalf of one caller. */
export interface Submitter<Answer> {
  /** Fails: when the client cannot be asked, or answers something else. */
  quantity(call: ClientCall): Promise<bigint>;
  /** Hands a signed transaction over. Fails: when nobody knows what became of it, or the client refuses it. */
  submit(method: string, raw: Uint8Array): Promise<Answer>;
}

/** Through whom, and for how long, one request is served. */
export interface SendContext<Answer> {
  readonly submitter: Submitter<Answer>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Signs transactions and submits them, giving each account's sends consecutive nonces. */
export class TransactionSender {
  private readonly turns = new NonceTurns();

  constructor(private readonly accounts: Pick<SigningAccounts, 'sign'>) {}

  async send<Answer>(plan: SendPlan, { submitter, signal }: SendContext<Answer>): Promise<Answer> {
    const { account, nonce } = plan;
    const submit = async (chosen: bigint) => {
      const { raw } = await signTransaction(plan.complete(chosen), account, this.accounts);
      return submitter.submit(plan.submission, raw);
    };
    const queue = `${account}${plan.privacyGroup ?? ''}` as Address;
    if (nonce === undefined) {
      const pendingNonce = () => submitter.quantity(plan.nonceLookup);
      return this.turns.take(queue, { pendingNonce, submit, signal });
    }
    const answer = await submit(nonce);
    this.turns.forget(queue);
    return answer;
  }
}
