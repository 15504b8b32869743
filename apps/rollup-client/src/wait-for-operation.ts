import type { OperatorClient, Submitted } from '@tetrad/rollup-client';
import type { Hash } from '@tetrad/types';
import { EXIT, type Terminal } from './commands/define-command.js';
import { withLooks, type Looks } from './account-looks.js';
import type { OperatorConfig } from './open-account.js';
import { jsonText } from './record-text.js';
import { POLL_MS, waitFor } from './wait-for.js';

type FindMethod =
  | ('pazkp_findMoneyOrderCreation' | 'pazkp_findMoneyOrderRedemption' | 'pazkp_findOutboundTransfer')
  | 'rollup_findConsentChange';

export interface WaitConfig {
  readonly wait: boolean;
  readonly timeout: number;
  readonly json: boolean;
}

/** What waits for the end of operations, all of one account. */
export interface OperationWait {
  readonly operator: OperatorClient;
  readonly config: WaitConfig;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** When it looks; undefined without `--wait`. */
  readonly looks: Looks | undefined;
}

/** Runs work that waits for operations of an account, where that is wanted. */
export function withOperationWait<Result>(
  config: WaitConfig & OperatorConfig,
  surroundings: Omit<OperationWait, 'config' | 'looks'> & { readonly accountId: number },
  work: (wait: OperationWait) => Promise<Result>,
): Promise<Result> {
  const { accountId, ...shared } = surroundings;
  if (!config.wait) return work({ ...shared, config, looks: undefined });
  return withLooks(config, { accountId, intervalMs: POLL_MS }, (looks) => work({ ...shared, config, looks }));
}

/**
 * Says what was submitted, and waits for its end where that is wanted.
 * @returns the exit code
 */
export async function reportSubmitted(
  submitted: Submitted & { readonly find: FindMethod },
  { operator, config, terminal, signal, looks }: OperationWait,
): Promise<number> {
  const { hash, nonce, find } = submitted;
  terminal.say(config.json ? jsonText({ hash, nonce }) : `${hash} nonce ${nonce}`);
  if (looks === undefined) return EXIT.done;
  const end = await waitFor(() => endOf(operator, find, hash), {
    what: `operation ${hash} is not final`,
    timeoutMs: config.timeout,
    signal,
    looks,
  });
  if (end.status === 'REJECTED') {
    const { rejectionReason = null } = end;
    if (config.json) terminal.say(jsonText({ hash, status: end.status, rejectionReason }));
    terminal.warn(`it is rejected: ${rejectionReason ?? 'no reason is given'}`);
    return EXIT.failed;
  }
  const { batchHeight, blockNumber } = end;
  terminal.say(
    config.json
      ? jsonText({ hash, status: 'FINAL', batchHeight, blockNumber })
      : `final in batch ${batchHeight}, block ${blockNumber}`,
  );
  return EXIT.done;
}

/** @returns undefined while it may still go either way */
async function endOf(operator: OperatorClient, find: FindMethod, hash: Hash) {
  const record = await operator.call(find, [hash]);
  if (record === null) return undefined;
  const isFinal = record.status === 'EXECUTED' && typeof record.blockNumber === 'number';
  return isFinal || record.status === 'REJECTED' ? record : undefined;
}
