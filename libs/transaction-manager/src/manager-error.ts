import { TetradError } from '@tetrad/types';

/** What went wrong, which the API answers with a status of HTTP. */
export type ManagerErrorKind =
  'invalid' | 'forbidden' | 'not-found' | 'unreachable' | 'rejected' | 'unavailable';

/** An error for a client or peer; the text is that of existing managers, since clients match it. */
export class ManagerError extends TetradError {
  override readonly name = 'ManagerError';
  override readonly code = 'MANAGER_ERROR';

  constructor(
    readonly kind: ManagerErrorKind,
    message: string,
    /** Media type of the text. */
    readonly type = 'text/plain',
  ) {
    super(message, { data: { kind } });
  }
}
