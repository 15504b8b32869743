import {
  listConsentChanges,
  listCreations,
  listCredits,
  listOutboundTransfers,
  listReceived,
  listRedemptions,
  type OperatorClient,
} from '@tetrad/rollup-client';
import { OptionError, choiceOption, defineOptions, integerOption, option } from '@tetrad/service';
import { withAccount } from '../open-account.js';
import { accountOptions, jsonOptions } from '../options.js';
import { describeListed, listedJson } from '../record-text.js';
import { defineCommand } from './define-command.js';

const LISTS = ['received', 'sent', 'redeemed', 'withdrawn', 'credited', 'consents'] as const;
type ListName = (typeof LISTS)[number];

export const listCommand = defineCommand({
  name: 'list',
  usage: `${LISTS.join('|')} --contract ADDRESS --key-file FILE --password-file FILE [options]`,
  words: [1, 1],
  summary: 'Prints the money orders, transfers, credits or consents of the account, one a line.',
  options: defineOptions({
    ...accountOptions,
    ...jsonOptions,
    from: option(integerOption({ min: 0, max: 2 ** 48 - 1 }), {
      description: 'First nonce or, of what is received or credited, first total index.',
      default: 0,
    }),
    status: option(choiceOption('PENDING', 'EXECUTED', 'REJECTED', 'AVAILABLE_TO_REDEEM', 'REDEEMED'), {
      description: 'Only with this status; the last two apply to received orders.',
    }),
    limit: option(integerOption({ min: 1, max: 1_000_000 }), { description: 'Most lines.', default: 1_000 }),
  }),
  run: ({ words, config, terminal }) =>
    withAccount(config, async ({ account, operator }) => {
      const name = LISTS.find((one) => one === words[0]);
      if (name === undefined)
        throw new OptionError('list', `must be one of ${LISTS.join(', ')}, not ${words[0]}`);
      let left = config.limit;
      for await (const record of recordsOf(operator, name, { accountId: account.id, ...config })) {
        if (left === 0) break;
        left -= 1;
        terminal.say(config.json ? listedJson(record) : describeListed(record));
      }
    }),
});

type Status = 'PENDING' | 'EXECUTED' | 'REJECTED' | 'AVAILABLE_TO_REDEEM' | 'REDEEMED';

function recordsOf(
  operator: OperatorClient,
  name: ListName,
  {
    accountId,
    from,
    status,
  }: { readonly accountId: number; readonly from: number; readonly status: Status | undefined },
) {
  if (name === 'credited') {
    if (status !== undefined) throw new OptionError('--status', 'is not for what is credited');
    return listCredits(operator, { accountId, fromIndex: from });
  }
  if (name === 'received') {
    if (status === 'PENDING' || status === 'EXECUTED' || status === 'REJECTED')
      throw new OptionError('--status', `${status} is not a status of received orders`);
    return listReceived(operator, {
      accountId,
      fromIndex: from,
      ...(status === undefined ? {} : { status }),
    });
  }
  if (status === 'AVAILABLE_TO_REDEEM' || status === 'REDEEMED')
    throw new OptionError('--status', `${status} is one of received orders`);
  const filter = { accountId, fromNonce: from, ...(status === undefined ? {} : { status }) };
  const lists = {
    sent: listCreations,
    redeemed: listRedemptions,
    withdrawn: listOutboundTransfers,
    consents: listConsentChanges,
  };
  return lists[name](operator, filter);
}
