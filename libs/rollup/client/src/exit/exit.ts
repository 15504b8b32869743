import { gasLimitOf } from '@tetrad/rollup-chain';
import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import { OperatorError, type Address, type Hash } from '@tetrad/types';
import { ContractRefusal, type RollupContract } from '../chain/rollup-contract.js';
import { RevertedError, type SendOptions } from '../chain/send-transaction.js';
import type { RollupKeys } from '../keys/rollup-keys.js';
import { AccountFollower } from './account-follower.js';
import { ExitProver, exitSize } from './exit-batch.js';
import { assertExitContract } from './exit-contract.js';
import { planExit, type PlannedBatch, type PlannedTransfer } from './exit-plan.js';
import { nextExitStep, type SeenBatch } from './exit-step.js';

/** What an exit does, in the order in which it happens; each may be the last before an interruption. */
export type ExitProgress =
  | { readonly kind: 'reading'; readonly block: number }
  | { readonly kind: 'account'; readonly account: Account; readonly openOrders: number }
  | ({ readonly kind: 'requesting' | 'requested' } & PlannedTransfer)
  /** Until a time of the chain, Unix time in seconds. */
  | { readonly kind: 'waiting'; readonly until: number }
  | { readonly kind: 'proving' | 'submitting'; readonly height: number }
  | { readonly kind: 'sent'; readonly hash: Hash }
  | ({ readonly kind: 'left' } & PlannedTransfer)
  /** The batch is not accepted now: another one was first, or others have the turn. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A payment that failed and is still owed by the contract. */
  | ({ readonly kind: 'owed' } & PlannedTransfer);

export interface ExitOptions {
  readonly contract: RollupContract;
  readonly keys: RollupKeys;
  /** Who is paid. */
  readonly recipient: Address;
  /** Secret key of the Ethereum account that sends the transactions and pays their gas; by default that of the keys. */
  readonly payerKey?: Uint8Array | undefined;
  /** Block of the contract's creation, or one before. */
  readonly fromBlock: number;
  readonly signal: AbortSignal;
  onProgress(progress: ExitProgress): void;
  /** Waits for the chain; ends early when the signal comes. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Refusals of one batch in a row without another state of the contract: something is wrong that does not pass. */
const MOST_REFUSALS = 5;
const SHORT_PAUSE_MS = 1_000;
const LONG_PAUSE_MS = 15_000;
/** So that a batch is submitted as soon as it may be, before another one of the operator. */
const PROVED_BEFORE_SECONDS = 60;
/** Refusals that pass by themselves: the blocks of a turn. */
const PASSING = 'TooEarly';

/**
 * Takes all that an account holds out of the rollup by the chain alone: requests its transfers, waits until they are overdue,
 * and submits proved batches that make them (docs/adr/0215). It keeps nothing: after an interruption the next one continues
 * where the chain is.
 *
 * Out:   what the contract still owes, because a payment failed
 * Fails: OperatorError for a contract of an earlier version, for keys without an account, when it is aborted, or for a refusal that does not pass; as `acceptedBatches`
 */
export async function exitRollup(options: ExitOptions): Promise<readonly PlannedTransfer[]> {
  const { contract, keys, onProgress } = options;
  await assertExitContract(contract);
  const follower = new AccountFollower(contract, keys, options.fromBlock);
  const prover = new ExitProver(contract, keys, await exitSize(contract));
  try {
    await follower.look((block) => onProgress({ kind: 'reading', block }));
    await new Exit(options, prover).run(() => follower.look());
    return await payOwed(options);
  } finally {
    await prover.close();
  }
}

class Exit {
  private readonly said = new Map<string, string>();
  private refusals = 0;
  private refusedHeight = 0;

  constructor(
    private readonly options: ExitOptions,
    private readonly prover: ExitProver,
  ) {}

  async run(look: () => Promise<AccountRecovery>): Promise<void> {
    while (await this.step(await look())) {
      if (this.options.signal.aborted) throw new OperatorError('interrupted; run it again to go on');
    }
  }

  /** Out: whether there is more to do */
  private async step(recovery: AccountRecovery): Promise<boolean> {
    const { contract, onProgress, recipient } = this.options;
    const { own, openOrders } = recovery;
    if (own === undefined) throw new OperatorError('the rollup has no account of these keys');
    this.sayOnce({ kind: 'account', account: own, openOrders: openOrders.length });
    const plan = planExit(own, openOrders, this.prover.size);
    const { timestamp } = await contract.client.head();
    const step = nextExitStep(await this.seen(own.id, plan), timestamp);
    if (step.do === 'end') return false;
    if (step.do === 'request') {
      const { transfer } = step;
      onProgress({ kind: 'requesting', ...transfer });
      const wanted = { ...transfer, fromAccountId: own.id, toEthereumAddress: recipient };
      await this.attempt(recovery, () => contract.requestOutboundTransfer(wanted, this.sending()));
      onProgress({ kind: 'requested', ...transfer });
    } else if (step.do === 'wait') {
      this.sayOnce({ kind: 'waiting', until: step.until });
      await this.wait(recovery, plan[0], step.until - timestamp);
    } else {
      await this.submit(recovery, step.batch);
    }
    return true;
  }

  /** In: the batch that is next, and seconds until it is due: it is proved before */
  private async wait(
    recovery: AccountRecovery,
    next: PlannedBatch | undefined,
    seconds: number,
  ): Promise<void> {
    if (seconds > PROVED_BEFORE_SECONDS || next === undefined) return this.pause(LONG_PAUSE_MS);
    await this.prover.prove(recovery, next, this.options.recipient);
    return this.pause(SHORT_PAUSE_MS);
  }

  private seen(fromAccountId: number, plan: readonly PlannedBatch[]): Promise<SeenBatch[]> {
    const { contract, recipient: toEthereumAddress } = this.options;
    const withTimes = async (transfer: PlannedTransfer) => ({
      ...transfer,
      times: await contract.requestTimes({ ...transfer, fromAccountId, toEthereumAddress }),
    });
    return Promise.all(
      plan.map(async (batch) => ({ ...batch, transfers: await Promise.all(batch.transfers.map(withTimes)) })),
    );
  }

  private async submit(recovery: AccountRecovery, batch: PlannedBatch): Promise<void> {
    const { contract, onProgress, recipient } = this.options;
    const { height } = recovery.next;
    this.sayOnce({ kind: 'proving', height });
    const { published, proof } = await this.prover.prove(recovery, batch, recipient);
    this.sayOnce({ kind: 'submitting', height });
    const gasLimit = gasLimitOf(published);
    const isAccepted = await this.attempt(recovery, () =>
      contract.submitBatch(published, proof, { ...this.sending(), gasLimit }),
    );
    if (isAccepted) for (const transfer of batch.transfers) onProgress({ kind: 'left', ...transfer });
  }

  /** Out: false when it was refused: the next look at the chain says what to do */
  private async attempt({ next }: AccountRecovery, send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      this.refusals = 0;
      return true;
    } catch (error) {
      const reason = error instanceof ContractRefusal ? error.reason : 'Reverted';
      if (!(error instanceof ContractRefusal || error instanceof RevertedError)) throw error;
      if (next.height !== this.refusedHeight) this.refusals = 0;
      this.refusedHeight = next.height;
      if (reason !== PASSING) this.refusals += 1;
      if (this.refusals === MOST_REFUSALS) throw error;
      this.sayOnce({ kind: 'refused', reason });
      await this.pause(SHORT_PAUSE_MS);
      return false;
    }
  }

  private sending(): SendOptions {
    const { signal, onProgress } = this.options;
    return {
      privateKey: payerOf(this.options),
      signal,
      onSent: (hash) => onProgress({ kind: 'sent', hash }),
    };
  }

  private pause(ms: number): Promise<void> {
    return this.options.pause(ms, this.options.signal);
  }

  /** Not again what was said last of its kind. */
  private sayOnce(progress: ExitProgress): void {
    const text = JSON.stringify(progress, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    if (text === this.said.get(progress.kind)) return;
    this.said.set(progress.kind, text);
    this.options.onProgress(progress);
  }
}

const payerOf = ({ payerKey, keys }: ExitOptions) => payerKey ?? keys.ethereumKey;

/** Fetches what earlier payments left. Out: what cannot be paid now either */
async function payOwed(options: ExitOptions): Promise<PlannedTransfer[]> {
  const { contract, recipient, signal, onProgress } = options;
  const left: PlannedTransfer[] = [];
  const count = Number(await contract.read('tokenCount', []));
  for (let tokenId = 0; tokenId < count; tokenId += 1) {
    const amount = await contract.read('owed', [recipient, tokenId]);
    if (amount === 0n) continue;
    try {
      await contract.send('payOwed', [recipient, tokenId], { privateKey: payerOf(options), signal });
      onProgress({ kind: 'left', tokenId, amount });
    } catch (error) {
      if (!(error instanceof ContractRefusal || error instanceof RevertedError)) throw error;
      left.push({ tokenId, amount });
      onProgress({ kind: 'owed', tokenId, amount });
    }
  }
  return left;
}
