import type { RollupAccount, RollupToken } from '@tetrad/rollup-client';
import { OperatorError, ZERO_ADDRESS, type Address } from '@tetrad/types';
import { describeAmount } from './amount.js';
import type { Terminal } from './commands/define-command.js';

/**
 * A doubt about an amount that the account does not hold: the operator takes the operation, and rejects it later.
 *
 * @param account the account that pays
 * @param amount in units of the token
 * @param token the token
 * @returns undefined when the account holds as much in the final state, which is proved against the contract
 */
export async function doubtOfAmount(
  account: Pick<RollupAccount, 'state'>,
  amount: bigint,
  token: RollupToken,
): Promise<string | undefined> {
  const { account: state, height } = await account.state();
  const held = state.balances.get(token.id) ?? 0n;
  return amount <= held
    ? undefined
    : `the account has ${describeAmount(held, token)} after batch ${height}, and what is not final yet may not come in time`;
}

/** A doubt about an address from which nothing comes back. */
export function doubtOfAddress(recipient: Address, contract: Address): string | undefined {
  if (recipient === ZERO_ADDRESS) return 'the recipient is the zero address: what it gets is lost';
  return recipient === contract ? 'the recipient is the rollup contract, which pays nothing back' : undefined;
}

/**
 * Asks the user about each doubt, where there is one to ask.
 *
 * @param doubts absent ones are skipped
 * @param how `isSure` is the option that answers all questions
 * @throws OperatorError when a doubt is not dispelled
 */
export async function dispel(
  doubts: readonly (string | undefined)[],
  { isSure, terminal }: { readonly isSure: boolean; readonly terminal: Terminal },
): Promise<void> {
  for (const doubt of doubts) {
    if (doubt === undefined) continue;
    if (isSure) terminal.warn(doubt);
    else if ((await terminal.ask?.(`${doubt}. Go on?`)) !== true)
      throw new OperatorError(`${doubt}; nothing is signed. With --yes it is`);
  }
}
