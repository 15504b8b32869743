import { TetradError } from '@tetrad/types';

/** Statuses that the API of managers answers with. */
export type ErrorStatus = 400 | 403 | 404 | 410 | 500 | 503;

/** What a client or peer is told; the text is what existing managers say, since clients look for it. */
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
