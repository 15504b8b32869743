import {
  ChainUnavailableError,
  ProofError,
  listCredits,
  listReceived,
  type RollupAccount,
} from '@tetrad/rollup-client';
import { RpcTransportError } from '@tetrad/rpc';
import { defineOptions, durationOption, option } from '@tetrad/service';
import { withLooks } from '../account-looks.js';
import { withAccount, type OpenedAccount } from '../open-account.js';
import { accountOptions, jsonOptions } from '../options.js';
import { describeListed, jsonText, listedJson } from '../record-text.js';
import { defineCommand } from './define-command.js';

export const watchCommand = defineCommand({
  name: 'watch',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Prints what the account receives and how its final state changes, until Ctrl-C.',
  options: defineOptions({
    ...accountOptions,
    ...jsonOptions,
    interval: option(durationOption({ min: 100 }), {
      description:
        'How often it looks where the operator sends no notices over WebSocket; with them it looks at each, and every half a minute.',
      default: 2_000,
    }),
    duration: option(durationOption({ min: 100, max: 7 * 24 * 3_600_000 }), {
      description: 'Stops after this time.',
    }),
  }),
  run: ({ config, terminal, signal }) =>
    withAccount(config, (opened) =>
      withLooks(config, { accountId: opened.account.id, intervalMs: config.interval }, async (looks) => {
        const ends = Date.now() + (config.duration ?? Infinity);
        const seen: Seen = { nextIndex: 0, nextCredit: 0, state: '' };
        while (!signal.aborted && Date.now() < ends) {
          try {
            for (const line of await news(opened, seen)) terminal.say(config.json ? line.json : line.text);
          } catch (error) {
            if (!PASSING.some((kind) => error instanceof kind)) throw error;
            terminal.warn((error as Error).message);
          }
          await looks.next(Math.max(0, ends - Date.now()), signal);
        }
      }),
    ),
});

/** What may be over the next time. A state that is not proved yet is one: the Ethereum client may be behind that of the operator. */
const PASSING = [RpcTransportError, ChainUnavailableError, ProofError];

interface Seen {
  /** Total index from which orders are new. */
  nextIndex: number;
  /** Total index from which credits are new. */
  nextCredit: number;
  /** The state as it was said last. */
  state: string;
}

interface Line {
  readonly text: string;
  readonly json: string;
}

/** What there is since the last time. */
async function news({ account, contract, operator }: OpenedAccount, seen: Seen): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const item of listReceived(operator, { accountId: account.id, fromIndex: seen.nextIndex })) {
    seen.nextIndex = item.moneyOrderTotalIndex + 1;
    lines.push({ text: `received  ${describeListed(item)}`, json: listedJson(item, { kind: 'received' }) });
  }
  const credits = contract.hasConsents
    ? listCredits(operator, { accountId: account.id, fromIndex: seen.nextCredit })
    : [];
  for await (const item of credits) {
    seen.nextCredit = item.totalIndex + 1;
    lines.push({ text: `credited  ${describeListed(item)}`, json: listedJson(item, { kind: 'credited' }) });
  }
  const line = await stateLine(account);
  if (line.text !== seen.state) {
    seen.state = line.text;
    lines.push(line);
  }
  return lines;
}

async function stateLine(account: RollupAccount): Promise<Line> {
  const { account: state } = await account.state();
  const { id, nonce, redemptionIndex } = state;
  const balances = Object.fromEntries(state.balances);
  const held = Object.entries(balances).map(([tokenId, amount]) => `${amount} units of token ${tokenId}`);
  return {
    text: [`account ${id}`, `nonce ${nonce}`, `redemption index ${redemptionIndex}`, ...held].join('  '),
    json: jsonText({ kind: 'state', id, nonce, redemptionIndex, balances }),
  };
}
