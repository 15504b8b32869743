import type { DepositQueue, RollupAccount, RollupToken } from '@tetrad/rollup-client';
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
 * A doubt about what the operator made a unit of a token: a deposit takes units, and the operator says how much each of them is.
 *
 * @param token the token
 * @param decimals of one whole token; undefined where it does not say
 * @returns undefined for ether, and for units that are no more than a whole token
 */
export function doubtOfUnit(token: RollupToken, decimals: number | undefined): string | undefined {
  if (token.address === ZERO_ADDRESS || (decimals !== undefined && token.unit <= 10n ** BigInt(decimals)))
    return undefined;
  const whole = decimals === undefined ? 'does not say its decimals' : `has ${decimals} decimals`;
  return `a unit of token ${token.id} is ${token.unit} base units of ${token.address}, which ${whole}`;
}

/** Time-outs that a deposit may take without a question. */
const USUAL_TIMEOUTS = 2n;

/**
 * A doubt about a queue that is long: its deposits may be the operator's own, which costs it gas, and they come back only when the
 * contract is frozen.
 *
 * @param queue of deposits
 * @returns undefined for a short one
 */
export function doubtOfQueue({ waiting, seconds, stallTimeout }: DepositQueue): string | undefined {
  if (seconds <= USUAL_TIMEOUTS * stallTimeout) return undefined;
  return `${waiting} deposits wait: the operator has ${seconds} s to take one that is made now`;
}

/**
 * Asks the user about each doubt, where there is one to ask.
 *
 * @param doubts absent ones are skipped
 * @param how `isSure` is the option that answers all questions; `what` is not done otherwise, by default signing
 * @throws OperatorError when a doubt is not dispelled
 */
export async function dispel(
  doubts: readonly (string | undefined)[],
  {
    isSure,
    terminal,
    what = 'signed',
  }: { readonly isSure: boolean; readonly terminal: Terminal; readonly what?: string },
): Promise<void> {
  for (const doubt of doubts) {
    if (doubt === undefined) continue;
    if (isSure) terminal.warn(doubt);
    else if ((await terminal.ask?.(`${doubt}. Go on?`)) !== true)
      throw new OperatorError(`${doubt}; nothing is ${what}. With --yes it is`);
  }
}
