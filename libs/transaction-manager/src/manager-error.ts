import { TetradError } from '@tetrad/types';

/** Statuses that the API of managers answers with. */
export type ErrorStatus = 400 | 403 | 404 | 410 | 500 | 503;

/** An error for a client or peer; the text is that of existing managers, since clients match it. */
export class ManagerError extends TetradError {
  override readonly name = 'ManagerError';
  override readonly code = 'MANAGER_ERROR';

  constructor(
    readonly status: ErrorStatus,
    message: string,
    /** Media type of the text. */
    readonly type = 'text/plain',
  ) {
    super(message, { data: { status } });
  }
}
