import { OptionError, booleanOption, defineOptions, option, textOption } from '@tetrad/service';
import { describeAmount, parseAmount } from '../amount.js';
import { dispel, doubtOfAddress, doubtOfAmount } from '../doubts.js';
import { settleFirst, withAccount, type OpenedAccount } from '../open-account.js';
import {
  accountOptions,
  addressOption,
  jsonOptions,
  sureOptions,
  tokenOptions,
  waitOptions,
} from '../options.js';
import { jsonText } from '../record-text.js';
import { reportSubmitted } from '../wait-for-operation.js';
import { EXIT, defineCommand } from './define-command.js';

export const withdrawCommand = defineCommand({
  name: 'withdraw',
  usage: '--to ADDRESS --amount AMOUNT --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Pays an Ethereum address out of the account; the payment is public.',
  options: defineOptions({
    ...accountOptions,
    ...tokenOptions,
    ...waitOptions,
    ...sureOptions,
    ...jsonOptions,
    to: option(addressOption(), { description: 'Ethereum address of the recipient.', required: true }),
    amount: option(textOption('AMOUNT'), {
      description: 'Units of the rollup, such as 1500; for ether also 1.5ether, 20gwei or wei.',
      required: true,
    }),
    request: option(booleanOption(), {
      description:
        'Request it on the contract instead, when the operator does not serve it: once overdue, anyone may submit a proved batch that does.',
      default: false,
    }),
  }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, async (opened) => {
      const { account, contract, operator, keys } = opened;
      const token = await contract.token(config.token);
      const amount = parseAmount(config.amount, token);
      if (amount === 0n) throw new OptionError('--amount', 'must be above 0');
      const sure = { isSure: config.yes, terminal };
      await dispel([doubtOfAddress(config.to, contract.address)], sure);
      const transfer = { toEthereumAddress: config.to, tokenId: token.id, amount };
      terminal.warn(`${describeAmount(amount, token)} to ${config.to}`);
      if (config.request) {
        await request(opened, { ...transfer, fromAccountId: account.id }, (hash) =>
          terminal.say(config.json ? jsonText({ transaction: hash }) : `transaction ${hash}`),
        );
        terminal.warn(`requested by ${keys.address}; it counts once the time-out of the contract is over`);
        return EXIT.done;
      }
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      await dispel([await doubtOfAmount(account, amount, token)], sure);
      const submitted = await account.withdraw(transfer);
      return reportSubmitted(
        { ...submitted, find: 'pazkp_findOutboundTransfer' },
        { operator, config, terminal, signal },
      );
    }),
});

async function request(
  { contract, keys }: OpenedAccount,
  transfer: Parameters<OpenedAccount['contract']['requestOutboundTransfer']>[0],
  onSent: (hash: string) => void,
): Promise<void> {
  await contract.requestOutboundTransfer(transfer, { privateKey: keys.ethereumKey, onSent });
}
