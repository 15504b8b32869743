import { provedCredits, type RollupContract } from '@tetrad/rollup-client';
import { totalIndex } from '@tetrad/rollup-crypto';
import type { OpenedAccount } from './open-account.js';
import { describeRecord, jsonText } from './record-text.js';
import type { Terminal } from './commands/define-command.js';

/** Prints what is credited to an account, each credit once and after it is proved against the contract. */
export class NewCredits {
  private constructor(
    private next: number,
    private readonly fromBlock: number,
    private readonly json: boolean,
  ) {}

  /**
   * @param contract - of the rollup
   * @param config - the first total index that is new; undefined for those of the batches after this
   * @returns what knows which ones are new
   * @throws what reading the contract does
   */
  static async open(
    contract: RollupContract,
    config: {
      readonly creditsFrom: number | undefined;
      readonly fromBlock: number;
      readonly json: boolean;
    },
  ): Promise<NewCredits> {
    const { creditsFrom, fromBlock, json } = config;
    const first = creditsFrom ?? totalIndex((await contract.state()).height + 1, 0);
    return new NewCredits(first, fromBlock, json);
  }

  /**
   * Prints the credits since the last time.
   *
   * @param opened - the account, and where its credits are
   * @param terminal - that prints them
   * @throws what `provedCredits` does; those before it are printed
   */
  async print({ account, contract, operator, keys }: OpenedAccount, terminal: Terminal): Promise<void> {
    if (!contract.hasConsents) return;
    const sources = { contract, operator, keys, fromBlock: this.fromBlock };
    for await (const item of provedCredits(sources, { accountId: account.id, fromIndex: this.next })) {
      terminal.say(this.json ? jsonText(item) : describeRecord(item));
      this.next = item.totalIndex + 1;
    }
  }
}
