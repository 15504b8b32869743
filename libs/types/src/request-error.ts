import { TetradError, type ErrorData } from './tetrad-error.js';

/**
 * A request that was understood and that a rule of the service rejects.
 *
 * The code is stable and is what clients test, as `reason` in `error.data`; its number is looked up in the table of `libs/rpc`,
 * never typed here. The message is the exact text of the interface document where that gives one.
 */
export class RequestError extends TetradError {
  override readonly name = 'RequestError';

  constructor(
    readonly code: string,
    message: string,
    data: ErrorData = {},
  ) {
    super(message, { data });
  }
}
