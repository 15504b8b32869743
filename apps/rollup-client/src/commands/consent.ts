import type { RollupContract } from '@tetrad/rollup-client';
import type { ConsentTerms } from '@tetrad/rollup-crypto';
import type { Account } from '@tetrad/rollup-state';
import { defineOptions, integerOption, option, textOption } from '@tetrad/service';
import { describeAmount, parseAmount } from '../amount.js';
import { settleFirst, withAccount } from '../open-account.js';
import { accountOptions, jsonOptions, tokenOptions, waitOptions } from '../options.js';
import { jsonText } from '../record-text.js';
import { reportSubmitted, withOperationWait } from '../wait-for-operation.js';
import { defineCommand } from './define-command.js';

/** Batches of a consent that does not say how many: a holder who forgets it is not bound for good. */
const USUAL_BATCHES = 100_000;

export const setConsentCommand = defineCommand({
  name: 'consent set',
  usage: '--minimum AMOUNT --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Lets payments and deposits of a token be added to the balance at once, in place of the consent that the account has.',
  options: defineOptions({
    ...accountOptions,
    ...tokenOptions,
    ...waitOptions,
    ...jsonOptions,
    minimum: option(textOption('AMOUNT'), {
      description:
        'Smaller ones become money orders; units of the rollup, such as 1500; for ether also 1.5ether, 20gwei or wei.',
      required: true,
    }),
    batches: option(integerOption({ min: 1, max: 2 ** 31 }), {
      description: 'For how many further batches of the rollup it holds.',
      default: USUAL_BATCHES,
    }),
  }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, async ({ account, contract, operator }) => {
      const token = await contract.token(config.token);
      const minimum = parseAmount(config.minimum, token);
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const untilHeight = Math.min((await contract.state()).height + config.batches, 2 ** 32 - 1);
      const submitted = await account.setConsent({ tokenId: token.id, minimum, untilHeight });
      terminal.warn(`from ${describeAmount(minimum, token)}, up to batch ${untilHeight}`);
      const waiting = { operator, terminal, signal, accountId: account.id };
      return withOperationWait(config, waiting, (wait) =>
        reportSubmitted({ ...submitted, find: 'rollup_findConsentChange' }, wait),
      );
    }),
});

export const revokeConsentCommand = defineCommand({
  name: 'consent revoke',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Ends the consent of the account: what comes is a money order from then on.',
  options: defineOptions({ ...accountOptions, ...waitOptions, ...jsonOptions }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, async ({ account, operator }) => {
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const submitted = await account.revokeConsent();
      const waiting = { operator, terminal, signal, accountId: account.id };
      return withOperationWait(config, waiting, (wait) =>
        reportSubmitted({ ...submitted, find: 'rollup_findConsentChange' }, wait),
      );
    }),
});

export const showConsentCommand = defineCommand({
  name: 'consent show',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Prints the consent that the account has in its final state, proved against the contract.',
  options: defineOptions({ ...accountOptions, ...jsonOptions }),
  run: ({ config, terminal }) =>
    withAccount(config, async ({ account, contract }) => {
      const { account: state, height } = await account.state();
      terminal.say(
        config.json ? jsonConsent(state, height) : await describeConsent(state, { contract, height }),
      );
    }),
});

/** The secret opens what came: it is not printed. */
function jsonConsent({ id, consentTerms }: Account, height: number): string {
  return jsonText({ id, height, terms: consentTerms === undefined ? null : shown(consentTerms) });
}

const shown = ({ tokenId, minimum, untilHeight }: ConsentTerms) => ({ tokenId, minimum, untilHeight });

async function describeConsent(
  { id, consentTerms }: Account,
  { contract, height }: { readonly contract: RollupContract; readonly height: number },
): Promise<string> {
  const at = `account ${id} after batch ${height}`;
  if (consentTerms === undefined) return `${at}: no consent`;
  const { tokenId, minimum, untilHeight } = consentTerms;
  const amount = describeAmount(minimum, await contract.token(tokenId));
  const ended = height >= untilHeight ? ', which is over' : '';
  return `${at}: from ${amount}, up to batch ${untilHeight}${ended}`;
}
