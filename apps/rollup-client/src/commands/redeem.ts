import type { RollupAccount } from '@tetrad/rollup-client';
import { OptionError, booleanOption, defineOptions, option } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { settleFirst, withAccount } from '../open-account.js';
import { accountOptions, jsonOptions, waitOptions } from '../options.js';
import { describeRecord } from '../record-text.js';
import { reportSubmitted, withOperationWait, type OperationWait } from '../wait-for-operation.js';
import { EXIT, defineCommand } from './define-command.js';

export const redeemCommand = defineCommand({
  name: 'redeem',
  usage: '[ORDER] --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 1],
  summary:
    'Redeems the earliest received money order, or all of them, once it is proved against the contract.',
  options: defineOptions({
    ...accountOptions,
    ...waitOptions,
    ...jsonOptions,
    all: option(booleanOption(), {
      description: 'Redeem all open orders, earliest first.',
      default: false,
    }),
    forfeitEarlier: option(booleanOption(), {
      description:
        'Redeem the order although earlier ones are open, which are lost then; the operator allows it for amounts below its minimum.',
      default: false,
    }),
  }),
  run: ({ words, config, terminal, signal }) =>
    withAccount(config, async ({ account, operator }) => {
      const wanted = words[0] === undefined ? undefined : parseTotalIndex(words[0]);
      if (wanted !== undefined && config.all)
        throw new OptionError('--all', 'cannot be used together with an order');
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const shared = { operator, terminal, signal, accountId: account.id };
      return withOperationWait(config, shared, (wait) => redeem(account, { ...config, wanted }, wait));
    }),
});

interface Wanted {
  readonly wanted: number | undefined;
  readonly all: boolean;
  readonly forfeitEarlier: boolean;
}

/**
 * @returns the exit code
 * @throws OperatorError when there is no order, or it is not the first one
 */
async function redeem(
  account: RollupAccount,
  { wanted, all, forfeitEarlier }: Wanted,
  wait: OperationWait,
): Promise<number> {
  let code: number | undefined;
  for await (const item of account.redeemable()) {
    // Redeeming a later one forfeits those before it.
    if (wanted !== undefined && item.moneyOrderTotalIndex !== wanted) {
      if (forfeitEarlier && item.moneyOrderTotalIndex < wanted) continue;
      throw new OperatorError(
        `order ${item.moneyOrderTotalIndex} comes first; with --forfeit-earlier it is lost instead`,
      );
    }
    wait.terminal.warn(describeRecord(item));
    const submitted = await account.redeem(item.moneyOrderTotalIndex);
    code = await reportSubmitted({ ...submitted, find: 'pazkp_findMoneyOrderRedemption' }, wait);
    if (code !== EXIT.done || !all) return code;
  }
  if (code !== undefined) return code;
  throw new OperatorError('no order to redeem');
}

function parseTotalIndex(text: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value >= 2 ** 48)
    throw new OptionError('redeem', `${text.slice(0, 80)} is not the total index of an order`);
  return value;
}
