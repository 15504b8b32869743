import { gasLimitOf } from '@tetrad/rollup-chain';
import type { AccountRecovery } from '@tetrad/rollup-state';
import { OperatorError } from '@tetrad/types';
import { AccountFollower } from '../exit/account-follower.js';
import type { ExitOptions } from '../exit/exit-options.js';
import { ExitTransactions, LONG_PAUSE_MS, SHORT_PAUSE_MS } from '../exit/exit-transactions.js';
import { ExitProver, exitSize } from './exit-batch.js';
import { assertExitContract } from './exit-contract.js';
import { planExit, type PlannedBatch, type PlannedTransfer } from './exit-plan.js';
import { nextExitStep, type SeenBatch } from './exit-step.js';
import { requestInTurns, requestTimes } from './turn-requests.js';

/** So that a batch is submitted as soon as it may be, before another one of the operator. */
const PROVED_BEFORE_SECONDS = 60;
/** Refusals that pass by themselves: the blocks of a turn. */
const PASSING = 'TooEarly';

/**
 * Leaves a contract with turns: requests transfers, waits until they are overdue, and submits proved batches that make them
 * (docs/adr/0215).
 *
 * @param options - of the exit
 * @throws OperatorError for a contract of an earlier version; as `exitRollup`
 */
export async function exitWithTurns(options: ExitOptions): Promise<void> {
  const { contract, keys, onProgress } = options;
  await assertExitContract(contract);
  const follower = new AccountFollower(contract, keys, options.fromBlock);
  const prover = new ExitProver(contract, keys, await exitSize(contract));
  try {
    await follower.look((block) => onProgress({ kind: 'reading', block }));
    await new TurnsExit(options, prover).run(() => follower.look());
  } finally {
    await prover.close();
  }
}

class TurnsExit {
  private readonly transactions: ExitTransactions;

  constructor(
    private readonly options: ExitOptions,
    private readonly prover: ExitProver,
  ) {
    this.transactions = new ExitTransactions(options, PASSING);
  }

  async run(look: () => Promise<AccountRecovery>): Promise<void> {
    while (await this.step(await look())) this.transactions.assertGoesOn();
  }

  /** @returns whether there is more to do */
  private async step(recovery: AccountRecovery): Promise<boolean> {
    const { own, openOrders } = recovery;
    if (own === undefined) throw new OperatorError('the rollup has no account of these keys');
    this.transactions.sayOnce({ kind: 'account', account: own, openOrders: openOrders.length });
    const { minimum = 0n } = this.options;
    const wanted = openOrders.filter(({ order }) => order.amount >= minimum);
    const plan = planExit(own, wanted, this.prover.size);
    const { timestamp } = await this.options.contract.client.head();
    const step = nextExitStep(await this.seen(own.id, plan), timestamp);
    if (step.do === 'end') return false;
    if (step.do === 'request') {
      await this.request(recovery, step.transfer);
    } else if (step.do === 'wait') {
      this.transactions.sayOnce({ kind: 'waiting', until: step.until });
      await this.wait(recovery, plan[0], step.until - timestamp);
    } else {
      await this.submit(recovery, step.batch);
    }
    return true;
  }

  private async request({ own, next }: AccountRecovery, transfer: PlannedTransfer): Promise<void> {
    const { contract, recipient } = this.options;
    if (own === undefined) return;
    this.transactions.say({ kind: 'requesting', ...transfer });
    const wanted = { ...transfer, fromAccountId: own.id, toEthereumAddress: recipient };
    const isSent = await this.transactions.attempt(`${next.height}`, (sending) =>
      requestInTurns(contract, wanted, sending),
    );
    if (isSent) this.transactions.say({ kind: 'requested', ...transfer });
  }

  /**
   * @param next - the batch that is next
   * @param seconds - until the batch is due: it is proved before
   */
  private async wait(
    recovery: AccountRecovery,
    next: PlannedBatch | undefined,
    seconds: number,
  ): Promise<void> {
    if (seconds > PROVED_BEFORE_SECONDS || next === undefined) return this.transactions.pause(LONG_PAUSE_MS);
    await this.prover.prove(recovery, next, this.options.recipient);
    return this.transactions.pause(SHORT_PAUSE_MS);
  }

  private seen(fromAccountId: number, plan: readonly PlannedBatch[]): Promise<SeenBatch[]> {
    const { contract, recipient: toEthereumAddress } = this.options;
    const withTimes = async (transfer: PlannedTransfer) => ({
      ...transfer,
      times: await requestTimes(contract, { ...transfer, fromAccountId, toEthereumAddress }),
    });
    return Promise.all(
      plan.map(async (batch) => ({ ...batch, transfers: await Promise.all(batch.transfers.map(withTimes)) })),
    );
  }

  private async submit(recovery: AccountRecovery, batch: PlannedBatch): Promise<void> {
    const { contract, recipient } = this.options;
    const { height } = recovery.next;
    this.transactions.sayOnce({ kind: 'proving', height });
    const { published, proof } = await this.prover.prove(recovery, batch, recipient);
    this.transactions.sayOnce({ kind: 'submitting', height });
    const gasLimit = gasLimitOf(published);
    const isAccepted = await this.transactions.attempt(`${height}`, (sending) =>
      contract.submitBatch(published, proof, { ...sending, gasLimit }),
    );
    if (isAccepted)
      for (const transfer of batch.transfers) this.transactions.say({ kind: 'left', ...transfer });
  }
}
