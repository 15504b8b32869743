import { TetradError } from '@tetrad/types';

/**
 * Why a key service did not sign.
 *
 * - `THROTTLED`: the service refused the call because of its rate; nothing was signed.
 * - `UNREACHABLE`: the call did not reach the service; nothing was signed.
 * - `TIMED_OUT`: no answer in time; a signature may exist there, and is discarded when it arrives.
 * - `BUSY`: too many calls wait for the service already; it was not called.
 * - `FAILED`: the service failed, or its answer cannot be read.
 * - `DENIED`: the service knows the caller and does not permit the call, or does not accept its credentials.
 * - `LOCKED`: a PIN was refused; it is not tried again until it changes.
 * - `MISSING`: there is no such key, token or slot at present.
 * - `WRONG_KEY`: the answer is that of another key, or no signature at all.
 * - `UNSUPPORTED`: a key of another kind, a missing package, a setting that cannot work.
 */
export type RemoteKeyFault =
  | 'THROTTLED'
  | 'UNREACHABLE'
  | 'TIMED_OUT'
  | 'BUSY'
  | 'FAILED'
  | 'DENIED'
  | 'LOCKED'
  | 'MISSING'
  | 'WRONG_KEY'
  | 'UNSUPPORTED';

/** After these the same digest may be sent again within the same deadline: the service has signed nothing. */
const REPEATABLE: ReadonlySet<RemoteKeyFault> = new Set(['THROTTLED', 'UNREACHABLE']);

/** These may pass with nothing changed in the settings. */
const PASSING: ReadonlySet<RemoteKeyFault> = new Set([
  ...REPEATABLE,
  'TIMED_OUT',
  'BUSY',
  'FAILED',
  'LOCKED',
  'MISSING',
]);

/** A key service did not do what it was asked for; the message says where and why, never anything secret. */
export class RemoteKeyError extends TetradError {
  override readonly name = 'RemoteKeyError';

  constructor(
    override readonly code: RemoteKeyFault,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }

  /** Whether the call may be repeated at once without a second signature coming into existence. */
  get isRepeatable(): boolean {
    return REPEATABLE.has(this.code);
  }

  /** Whether it may pass by itself. */
  get isPassing(): boolean {
    return PASSING.has(this.code);
  }
}

/** Any error as one of ours. Errors of other kinds may repeat what they were given, so only their name is kept. */
export function asRemoteKeyError(error: unknown, where: string): RemoteKeyError {
  if (error instanceof RemoteKeyError) return error;
  const name = error instanceof Error ? error.name : 'error';
  return new RemoteKeyError('FAILED', `${where}: unexpected ${name}`);
}
