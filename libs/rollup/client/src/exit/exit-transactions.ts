import { ChainUnavailableError, type EthereumClient } from '@tetrad/rollup-chain';
import { OperatorError, type Address } from '@tetrad/types';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { ContractRefusal } from '../chain/contract-errors.js';
import { defaultMaxFee } from '../chain/flight-rule.js';
import { RevertedError, type SendOptions } from '../chain/send-transaction.js';
import { TransactionWindow } from '../chain/transaction-window.js';
import type { ExitOptions, ExitProgress } from './exit-options.js';

/** Refusals in a row without anything new on the chain: something is wrong that does not pass. */
const MAX_REFUSALS = 5;
export const SHORT_PAUSE_MS = 1_000;
export const LONG_PAUSE_MS = 15_000;

/** Sends the transactions of an exit, and says what happens. */
export class ExitTransactions {
  private readonly said = new Map<string, string>();
  private refusals = 0;
  private refusedAt: string | undefined;
  private maxFee: bigint | undefined;

  /** @param passing - name of a refusal that passes by itself */
  constructor(
    private readonly options: ExitOptions,
    private readonly passing?: string,
  ) {}

  /**
   * Sends what is accepted, or finds out that it is not.
   * @param at - what it was made for: refusals are counted while that is the same
   * @returns false when it was refused: the next look at the chain says what to do
   * @throws ContractRefusal, RevertedError when it was refused too often; as `send`
   */
  async attempt(at: string, send: (sending: SendOptions) => Promise<unknown>): Promise<boolean> {
    try {
      await send(this.sending);
      this.accepted();
      return true;
    } catch (error) {
      this.refused(at, error);
      await this.pause(SHORT_PAUSE_MS);
      return false;
    }
  }

  /** Something was done: earlier refusals do not count. */
  accepted(): void {
    this.refusals = 0;
  }

  /**
   * Counts a refusal and says it.
   * @param at - as for `attempt`
   * @throws the error when it is no refusal, or one too many
   */
  refused(at: string, error: unknown): void {
    if (!(error instanceof ContractRefusal || error instanceof RevertedError)) throw error;
    const reason = error instanceof ContractRefusal ? error.reason : 'Reverted';
    if (at !== this.refusedAt) this.refusals = 0;
    this.refusedAt = at;
    if (reason !== this.passing) this.refusals += 1;
    if (this.refusals === MAX_REFUSALS) throw error;
    this.sayOnce({ kind: 'refused', reason });
  }

  /**
   * Does a step of an exit, which may last for days: a client that cannot be reached meanwhile is asked again.
   *
   * @param step - asks the Ethereum client
   * @returns what the step returns; undefined, after a pause, when the client could not be reached
   * @throws as the step
   */
  async whenReachable<Result>(step: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      this.sayOnce({ kind: 'refused', reason: 'the Ethereum client cannot be reached' });
      await this.pause(LONG_PAUSE_MS);
      return undefined;
    }
  }

  get sending(): SendOptions {
    const { signal, onProgress } = this.options;
    const onSent: SendOptions['onSent'] = (hash) => onProgress({ kind: 'sent', hash });
    return { key: this.payerKey, signal, onSent };
  }

  /**
   * For transactions of the payer. The default of what is paid for gas stays what it was at the first one: a client that answers
   * late now and then, while gas gets dearer, does not raise it.
   *
   * @throws ChainUnavailableError; ChainRpcError
   */
  async window<Load>(client: EthereumClient): Promise<TransactionWindow<Load>> {
    const { onSent = () => undefined } = this.sending;
    this.maxFee ??= this.options.maxFeePerGas ?? defaultMaxFee(await client.gasPrice());
    return new TransactionWindow<Load>({ client, privateKey: this.payerKey, maxFee: this.maxFee, onSent });
  }

  /** Who sends and pays the gas. */
  get payer(): Address {
    return addressFromPrivateKey(this.payerKey);
  }

  pause(ms: number): Promise<void> {
    return this.options.pause(ms, this.options.signal);
  }

  /** @throws OperatorError when the user has ended the exit */
  assertGoesOn(): void {
    if (this.options.signal.aborted) throw new OperatorError('interrupted; run it again to go on');
  }

  say(progress: ExitProgress): void {
    this.options.onProgress(progress);
  }

  /** Not again what was said last of its kind. */
  sayOnce(progress: ExitProgress): void {
    const text = JSON.stringify(progress, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    if (text === this.said.get(progress.kind)) return;
    this.said.set(progress.kind, text);
    this.say(progress);
  }

  private get payerKey(): Uint8Array {
    return this.options.payerKey ?? this.options.keys.ethereumKey;
  }
}
