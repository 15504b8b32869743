import { TetradError, type ErrorData } from './tetrad-error.js';

/** Values that tell a caller more about a refusal; they travel in `error.data` beside the reason. */
export type RefusalData = ErrorData;

/**
 * A request that was understood and is refused by a rule of the service.
 *
 * The reason is stable and is what clients test; its numeric code is looked up in the table of `libs/rpc`,
 * never typed here. The message is the exact text of the interface document where that gives one.
 */
export class RefusalError extends TetradError {
  override readonly name = 'RefusalError';

  constructor(
    readonly reason: string,
    message: string,
    data: RefusalData = {},
  ) {
    super(message, { data });
  }

  /** The reason, as errors of every kind have it. */
  get code(): string {
    return this.reason;
  }
}
