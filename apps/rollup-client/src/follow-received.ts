import {
  AccountNews,
  ChainRpcError,
  ChainUnavailableError,
  ProofError,
  type ReceivedItem,
  type RollupAccount,
} from '@tetrad/rollup-client';
import { FolderInUseError } from '@tetrad/files';
import { RpcCallError, RpcTransportError } from '@tetrad/rpc';
import { OperatorError, systemClock } from '@tetrad/types';
import { EXIT, type Terminal } from './commands/define-command.js';
import { operatorHeaders, pause, withOwnAccount, withPlaces } from './open-account.js';
import type { AccountConfig } from './options.js';
import { NewCredits } from './new-credits.js';
import { describeRecord, jsonText } from './record-text.js';
import { redeemReceived, type RedemptionLimits } from './redeem-received.js';

export type FollowConfig = AccountConfig &
  Omit<RedemptionLimits, 'stopsBefore'> & {
    readonly json: boolean;
    /** First total index of the credits that are printed; undefined for those of further batches. */
    readonly creditsFrom: number | undefined;
    /** How often it looks without a notice, in ms. */
    readonly interval: number;
  };

interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Between two looks: what comes together is redeemed together, and an operator that sends notices without end is not asked without end. */
const PAUSE_MS = 250;

/** What may be over the next time. An order that is not proved yet is one: the Ethereum client may be behind that of the operator. */
const PASSING = [
  RpcTransportError,
  RpcCallError,
  ChainRpcError,
  ChainUnavailableError,
  ProofError,
  OperatorError,
  FolderInUseError,
];

/**
 * Redeems what the account receives as soon as the operator says that there is something, and prints what is credited to it, until
 * the signal is aborted. Between looks other commands may use the account.
 *
 * @param config - the account, the operator, and which orders
 * @param surroundings - where it reports, and what ends it
 * @returns the exit code: that of a failure once the rollup is frozen
 * @throws OperatorError when the keys have no account; what is no matter of the operator, the chain or the journal
 */
export function followReceived(config: FollowConfig, { terminal, signal }: Surroundings): Promise<number> {
  const warn = warner(terminal);
  return withPlaces(config, async (places) => {
    const tries = new Tries(config.interval);
    const credits = await NewCredits.open(places.contract, config);
    const news = new AccountNews({
      url: config.operatorUrl.href,
      headers: operatorHeaders(config),
      clock: systemClock,
      accountId: await withOwnAccount(config, places, async ({ account }) => account.id),
      random: Math.random,
      onProblem: warn,
    });
    try {
      for (;;) {
        await news.next(config.interval, signal);
        if (signal.aborted) return EXIT.done;
        try {
          const shared = { tries, warn, terminal, signal };
          await withOwnAccount(config, places, async (opened) => {
            await credits.print(opened, terminal);
            await look(opened.account, config, shared);
          });
        } catch (error) {
          if (!PASSING.some((kind) => error instanceof kind)) throw error;
          warn((error as Error).message);
          if (isFrozen(error)) return EXIT.failed;
        }
        await pause(PAUSE_MS, signal);
      }
    } finally {
      await news.close();
    }
  });
}

async function look(
  account: RollupAccount,
  config: FollowConfig,
  { tries, warn, terminal, signal }: Surroundings & { tries: Tries; warn: (line: string) => void },
): Promise<void> {
  for (const { operation, isAccepted, reason } of await account.settle())
    terminal.warn(
      `the operation of before with nonce ${operation.nonce} is ${isAccepted ? 'accepted' : `refused (${reason})`}`,
    );
  const { most, forfeitBelow, json } = config;
  const { skipped } = await redeemReceived(
    account,
    { most, forfeitBelow, stopsBefore: (item) => tries.isRecent(item) },
    {
      report: {
        found: () => undefined,
        sent(item, { hash, nonce }) {
          tries.add(item);
          terminal.say(
            json ? jsonText({ ...item, hash, nonce }) : `${describeRecord(item)}  nonce ${nonce}  ${hash}`,
          );
        },
        refused: warn,
      },
      signal,
    },
  );
  if (skipped.length > 0) warn(`skipped ${skipped.length} orders below ${forfeitBelow} units`);
}

/** Orders whose redemption was sent: one that can be redeemed all the same was rejected, and the next try may be as well. */
class Tries {
  private readonly times = new Map<number, number>();

  constructor(private readonly pauseMs: number) {}

  add({ moneyOrderTotalIndex }: ReceivedItem): void {
    const now = systemClock.now();
    for (const [index, time] of this.times) if (now - time >= this.pauseMs) this.times.delete(index);
    this.times.set(moneyOrderTotalIndex, now);
  }

  isRecent({ moneyOrderTotalIndex }: ReceivedItem): boolean {
    return systemClock.now() - (this.times.get(moneyOrderTotalIndex) ?? -Infinity) < this.pauseMs;
  }
}

/** Warns of what is not what it warned of last. */
function warner(terminal: Terminal): (line: string) => void {
  let last = '';
  return (line) => {
    if (line !== last) terminal.warn(line);
    last = line;
  };
}

function isFrozen(error: unknown): boolean {
  if (!(error instanceof RpcCallError)) return false;
  return (error.data as { readonly reason?: unknown } | undefined)?.reason === 'ROLLUP_FROZEN';
}
