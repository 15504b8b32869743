import type { KeyDifference } from './key-table.js';

/** Bodies and states of web3signer's `/reload` (docs/spec/signing-proxy.md#health-metrics-reloading). */
const RELOAD_ACCEPTED = {
  status: 'accepted',
  message: 'Reload operation accepted and is running in the background. Use GET /reload to check status.',
} as const;

const RELOAD_IN_PROGRESS = {
  status: 'error',
  message: 'A reload operation is already in progress. Please try again later.',
} as const;

/** Body of GET /reload. */
export interface ReloadStatus {
  readonly status: 'idle' | 'running' | 'completed' | 'completed_with_errors' | 'failed';
  /** ISO 8601; when the last operation ended, null before the first. */
  readonly lastOperationTime: string | null;
  readonly lastError: string | null;
}

/** Answer to POST /reload. */
export type ReloadAnswer =
  | { readonly outcome: 'accepted'; readonly body: typeof RELOAD_ACCEPTED }
  | { readonly outcome: 'in progress'; readonly body: typeof RELOAD_IN_PROGRESS };

export const NO_RELOAD: ReloadStatus = { status: 'idle', lastOperationTime: null, lastError: null };

/** What a request to reload does to the status, and its answer: one reload at a time. */
export function requestReload(status: ReloadStatus): {
  readonly status: ReloadStatus;
  readonly answer: ReloadAnswer;
} {
  return status.status === 'running'
    ? { status, answer: { outcome: 'in progress', body: RELOAD_IN_PROGRESS } }
    : { status: { ...status, status: 'running' }, answer: { outcome: 'accepted', body: RELOAD_ACCEPTED } };
}

/** @param now - milliseconds since the epoch */
export function finishReload({ failed }: KeyDifference, now: number): ReloadStatus {
  const lastOperationTime = new Date(now).toISOString();
  const [first] = failed;
  if (first === undefined) return { status: 'completed', lastOperationTime, lastError: null };
  const rest = failed.length === 1 ? '' : ` (and ${failed.length - 1} more)`;
  return {
    status: 'completed_with_errors',
    lastOperationTime,
    lastError: `${first.name}: ${first.reason}${rest}`,
  };
}

/** The keys stay as they were. */
export function failReload(reason: string, now: number): ReloadStatus {
  return { status: 'failed', lastOperationTime: new Date(now).toISOString(), lastError: reason };
}
