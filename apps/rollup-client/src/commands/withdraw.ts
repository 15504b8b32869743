import { requestTransfer, type RollupContract } from '@tetrad/rollup-client';
import { OptionError, booleanOption, defineOptions, option, textOption } from '@tetrad/service';
import type { Address } from '@tetrad/types';
import { describeAmount, parseAmount } from '../amount.js';
import { dispel, doubtOfAddress, doubtOfAmount } from '../doubts.js';
import { openKeys, settleFirst, withAccount, withContract } from '../open-account.js';
import {
  accountOptions,
  addressOption,
  jsonOptions,
  sureOptions,
  tokenOptions,
  waitOptions,
  type ChainConfig,
  type KeyConfig,
} from '../options.js';
import { jsonText } from '../record-text.js';
import { reportSubmitted, withOperationWait } from '../wait-for-operation.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

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
        'Request it on the contract instead, by the chain alone, when the operator does not serve it: once that is overdue, anyone may freeze the contract.',
      default: false,
    }),
  }),
  run: ({ config, terminal, signal }) => {
    if (config.request) return request(config, { terminal, signal });
    return withAccount(config, async ({ account, contract, operator }) => {
      const { transfer, token } = await askedFor(config, contract, terminal);
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const sure = { isSure: config.yes, terminal };
      await dispel([await doubtOfAmount(account, transfer.amount, token)], sure);
      const submitted = await account.withdraw(transfer);
      const shared = { operator, terminal, signal, accountId: account.id };
      return withOperationWait(config, shared, (wait) =>
        reportSubmitted({ ...submitted, find: 'pazkp_findOutboundTransfer' }, wait),
      );
    });
  },
});

/** What the options say of the transfer, and of the command. */
interface TransferConfig {
  readonly to: Address;
  readonly amount: string;
  readonly token: number;
  readonly yes: boolean;
}

async function askedFor(config: TransferConfig, contract: RollupContract, terminal: Terminal) {
  const token = await contract.token(config.token);
  const amount = parseAmount(config.amount, token);
  if (amount === 0n) throw new OptionError('--amount', 'must be above 0');
  await dispel([doubtOfAddress(config.to, contract.address)], { isSure: config.yes, terminal });
  terminal.warn(`${describeAmount(amount, token)} to ${config.to}`);
  return { token, transfer: { toEthereumAddress: config.to, tokenId: token.id, amount } };
}

/** Of the operator nothing is needed. */
async function request(
  config: TransferConfig & ChainConfig & KeyConfig & { readonly json: boolean },
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<number> {
  const keys = await openKeys(config);
  return withContract(config, async (contract) => {
    const { transfer } = await askedFor(config, contract, terminal);
    const onSent = (hash: string) =>
      terminal.say(config.json ? jsonText({ transaction: hash }) : `transaction ${hash}`);
    const sending = { key: keys.ethereumKey, onSent, signal };
    await requestTransfer(contract, keys, { transfer, fromBlock: config.fromBlock }, sending);
    terminal.warn(
      `requested by ${keys.address}; tetrad rollup exit says until when the operator has to make it`,
    );
    return EXIT.done;
  });
}
