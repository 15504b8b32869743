import {
  OptionError,
  booleanOption,
  defineOptions,
  integerOption,
  option,
  textOption,
} from '@tetrad/service';
import { describeAmount, parseAmount } from '../amount.js';
import { dispel, doubtOfAmount } from '../doubts.js';
import { settleFirst, withAccount } from '../open-account.js';
import { accountOptions, jsonOptions, sureOptions, tokenOptions, waitOptions } from '../options.js';
import { reportSubmitted, withOperationWait } from '../wait-for-operation.js';
import { defineCommand } from './define-command.js';

export const sendCommand = defineCommand({
  name: 'send',
  usage: '--to ACCOUNT --amount AMOUNT --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Makes a money order for another account, and prints its operation hash.',
  options: defineOptions({
    ...accountOptions,
    ...tokenOptions,
    ...waitOptions,
    ...sureOptions,
    ...jsonOptions,
    to: option(integerOption({ min: 1, max: 2 ** 28 - 1 }), {
      description: 'Account of the recipient.',
      required: true,
    }),
    direct: option(booleanOption(), {
      description:
        'Let it be added to the balance of the recipient at once where that has a consent for it; then the chain shows who paid whom, and not how much.',
      default: false,
    }),
    amount: option(textOption('AMOUNT'), {
      description: 'Units of the rollup, such as 1500; for ether also 1.5ether, 20gwei or wei.',
      required: true,
    }),
  }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, async ({ account, contract, operator }) => {
      const token = await contract.token(config.token);
      const amount = parseAmount(config.amount, token);
      if (amount === 0n) throw new OptionError('--amount', 'must be above 0');
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const toItself = config.to === account.id ? 'the recipient is the account itself' : undefined;
      await dispel([toItself, await doubtOfAmount(account, amount, token)], { isSure: config.yes, terminal });
      const submitted = await account.send({
        toAccountId: config.to,
        tokenId: token.id,
        amount,
        isDirect: config.direct,
      });
      terminal.warn(`${describeAmount(amount, token)} to account ${config.to}`);
      const shared = { operator, terminal, signal, accountId: account.id };
      return withOperationWait(config, shared, (wait) =>
        reportSubmitted({ ...submitted, find: 'pazkp_findMoneyOrderCreation' }, wait),
      );
    }),
});
