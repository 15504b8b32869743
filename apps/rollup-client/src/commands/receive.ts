import {
  retryAfterOf,
  type OperatorClient,
  type ReceivedItem,
  type RollupAccount,
  type Submitted,
} from '@tetrad/rollup-client';
import { RpcCallError } from '@tetrad/rpc';
import { defineOptions, integerOption, option } from '@tetrad/service';
import { OperatorError } from '@tetrad/types';
import { settleFirst, withAccount } from '../open-account.js';
import { accountOptions, jsonOptions, waitOptions } from '../options.js';
import { describeRecord, jsonText } from '../record-text.js';
import { reportSubmitted, type WaitConfig } from '../wait-for-operation.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

export const receiveCommand = defineCommand({
  name: 'receive',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Redeems all that the account has received, earliest first; it is no failure when there is nothing.',
  options: defineOptions({
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
  }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, async ({ account, operator }) => {
      const ended = await settleFirst(account, terminal);
      if (ended !== undefined) return ended;
      const { sent, skipped, hasMore } = await redeemAll(account, config, { terminal, signal });
      if (skipped.length > 0)
        terminal.warn(`skipped ${skipped.length} orders below ${config.forfeitBelow} units`);
      const code = await reportAll(sent, { operator, config, terminal, signal });
      terminal.say(
        config.json
          ? jsonText({ redeemed: sent.length, skipped: skipped.length, hasMore })
          : `redeemed ${sent.length} orders${hasMore ? ', and more wait' : ''}`,
      );
      return code;
    }),
});

interface Receipts {
  readonly sent: readonly Submitted[];
  readonly skipped: readonly ReceivedItem[];
  readonly hasMore: boolean;
}

/** Each is proved against the contract before it is signed for. */
async function redeemAll(
  account: RollupAccount,
  {
    most,
    forfeitBelow,
    json,
  }: { readonly most: number; readonly forfeitBelow: number; readonly json: boolean },
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<Receipts> {
  const [sent, skipped]: [Submitted[], ReceivedItem[]] = [[], []];
  for await (const item of account.redeemable()) {
    if (sent.length === most || signal.aborted) return { sent, skipped, hasMore: true };
    if (item.moneyOrder.amount < BigInt(forfeitBelow)) {
      skipped.push(item);
      continue;
    }
    terminal.say(json ? jsonText(item) : describeRecord(item));
    try {
      sent.push(await account.redeem(item.moneyOrderTotalIndex));
    } catch (error) {
      if (sent.length > 0 && retryAfterOf(error) !== undefined) {
        terminal.warn((error as Error).message);
        return { sent, skipped, hasMore: true };
      }
      if (!(error instanceof RpcCallError) || skipped.length === 0) throw error;
      throw explained(error, skipped[0] as ReceivedItem);
    }
  }
  return { sent, skipped, hasMore: false };
}

/** An operator that refuses to let an order be lost names it by its index alone. */
function explained(error: RpcCallError, { moneyOrder, moneyOrderTotalIndex }: ReceivedItem): Error {
  const reason = (error.data as { readonly reason?: unknown } | undefined)?.reason;
  if (reason !== 'EARLIER_MONEY_ORDER_OPEN') return error;
  const text = `order ${moneyOrderTotalIndex} of ${moneyOrder.amount} units cannot be forfeited: the operator allows it below its minimum only`;
  return new OperatorError(text, { cause: error });
}

/** All were submitted before the first one is waited for: they share batches. Out: the first code that is not 0 */
async function reportAll(
  sent: readonly Submitted[],
  surroundings: {
    readonly operator: OperatorClient;
    readonly config: WaitConfig;
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  let worst: number = EXIT.done;
  for (const submitted of sent) {
    const code = await reportSubmitted(
      { ...submitted, find: 'pazkp_findMoneyOrderRedemption' },
      surroundings,
    );
    if (worst === EXIT.done) worst = code;
  }
  return worst;
}
