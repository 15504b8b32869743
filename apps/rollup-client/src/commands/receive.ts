import type { Submitted } from '@tetrad/rollup-client';
import {
  OptionError,
  booleanOption,
  defineOptions,
  durationOption,
  integerOption,
  option,
  type ConfigOf,
} from '@tetrad/service';
import { followReceived } from '../follow-received.js';
import { settleFirst, withAccount } from '../open-account.js';
import { accountOptions, jsonOptions, waitOptions } from '../options.js';
import { describeRecord, jsonText } from '../record-text.js';
import { redeemReceived } from '../redeem-received.js';
import { reportSubmitted, withOperationWait, type OperationWait } from '../wait-for-operation.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

const options = defineOptions({
  ...accountOptions,
  ...waitOptions,
  ...jsonOptions,
  // The operator takes a thousand operations of an account that wait.
  most: option(integerOption({ min: 1, max: 900 }), {
    description: 'Most orders that it redeems; run it again for further ones.',
    default: 200,
  }),
  forfeitBelow: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    description:
      'Orders of a smaller amount, in units of the rollup, are skipped, and are lost once a later one is redeemed. The operator allows it below its minimum.',
    default: 0,
  }),
  follow: option(booleanOption(), {
    description:
      'Goes on until Ctrl-C: redeems each further order, and prints each further credit, when the operator says over WebSocket that it is final.',
    default: false,
  }),
  creditsFrom: option(integerOption({ min: 0, max: 2 ** 48 - 1 }), {
    description:
      'With --follow: first total index of the credits that it prints, such as that of the last one and 1; without it those of batches that become final from now on.',
  }),
  interval: option(durationOption({ min: 1_000 }), {
    description:
      'With --follow: how often it looks without a notice, and after which it tries an order again whose redemption was rejected.',
    default: 30_000,
  }),
});

export const receiveCommand = defineCommand({
  name: 'receive',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Redeems all that the account has received, earliest first; it is no failure when there is nothing.',
  options,
  async run({ config, terminal, signal }) {
    if (!config.follow && config.creditsFrom !== undefined)
      throw new OptionError('--credits-from', 'needs --follow');
    if (!config.follow) return receiveOnce(config, { terminal, signal });
    if (config.wait) throw new OptionError('--wait', 'cannot be used together with --follow');
    return followReceived(config, { terminal, signal });
  },
});

function receiveOnce(
  config: ConfigOf<typeof options>,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<number> {
  return withAccount(config, async ({ account, operator }) => {
    const ended = await settleFirst(account, terminal);
    if (ended !== undefined) return ended;
    const sent: Submitted[] = [];
    const { skipped, hasMore } = await redeemReceived(account, config, {
      report: {
        found: (item) => terminal.say(config.json ? jsonText(item) : describeRecord(item)),
        sent: (_, submitted) => void sent.push(submitted),
        refused: (reason) => terminal.warn(reason),
      },
      signal,
    });
    if (skipped.length > 0)
      terminal.warn(`skipped ${skipped.length} orders below ${config.forfeitBelow} units`);
    const shared = { operator, terminal, signal, accountId: account.id };
    const code = await withOperationWait(config, shared, (wait) => reportAll(sent, wait));
    terminal.say(
      config.json
        ? jsonText({ redeemed: sent.length, skipped: skipped.length, hasMore })
        : `redeemed ${sent.length} orders${hasMore ? ', and more wait' : ''}`,
    );
    return code;
  });
}

/**
 * All were submitted before the first one is waited for: they share batches.
 * @returns the first code that is not 0
 */
async function reportAll(sent: readonly Submitted[], wait: OperationWait): Promise<number> {
  let worst: number = EXIT.done;
  for (const submitted of sent) {
    const code = await reportSubmitted({ ...submitted, find: 'pazkp_findMoneyOrderRedemption' }, wait);
    if (worst === EXIT.done) worst = code;
  }
  return worst;
}
