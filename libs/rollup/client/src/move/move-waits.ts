import { OperatorError } from '@tetrad/types';
import { SHORT_PAUSE_MS } from '../exit/exit-transactions.js';
import type { Awaited, MoveOptions } from './move-options.js';

/** What a look at the chain and the operators finds. */
export interface Look<Result> {
  /** What is waited for; undefined while it is not there. */
  readonly found?: Result | undefined;
  /** While it changes, others are at work. */
  readonly mark: string | number;
}

/** Waits for what others have to do, as long as they do something. */
export class MoveWaits {
  private said: Awaited | undefined;

  constructor(private readonly options: Pick<MoveOptions, 'onProgress' | 'pause' | 'signal' | 'timeoutMs'>) {}

  /**
   * Looks again and again.
   *
   * @param what - is waited for
   * @param look - asks
   * @returns what is found
   * @throws OperatorError when the user ends it, or nothing changes for too long; as the look
   */
  async until<Result>(what: Awaited, look: () => Promise<Look<Result>>): Promise<Result> {
    let last: string | number | undefined;
    for (let quietMs = 0; ; quietMs += SHORT_PAUSE_MS) {
      const { found, mark } = await look();
      if (found !== undefined) {
        this.said = undefined;
        return found;
      }
      if (mark !== last) quietMs = 0;
      last = mark;
      this.assertGoesOn();
      if (quietMs >= this.options.timeoutMs) throw new OperatorError(lateText(what, quietMs));
      this.say(what);
      await this.pause();
    }
  }

  /** @throws OperatorError when the user has ended the move */
  assertGoesOn(): void {
    if (this.options.signal.aborted) throw new OperatorError('interrupted; run it again to go on');
  }

  pause(): Promise<void> {
    return this.options.pause(SHORT_PAUSE_MS, this.options.signal);
  }

  private say(what: Awaited): void {
    if (what === this.said) return;
    this.said = what;
    this.options.onProgress({ kind: 'awaiting', what });
  }
}

const LATE: Readonly<Record<Awaited, string>> = {
  operations:
    'operations of the account are not final; --by-chain leaves by the contract alone when the operator does not serve',
  deposits:
    'deposits of the account are in no batch; --by-chain leaves by the contract alone when the operator does not serve',
  account: 'the account is not in the successor',
  transactions: 'transactions of the address are not mined',
  events: 'the Ethereum client does not have the events of deposits',
};

const lateText = (what: Awaited, quietMs: number): string =>
  `no change for ${quietMs / 1_000} s: ${LATE[what]}`;
