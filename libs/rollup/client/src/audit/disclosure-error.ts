import { splitTotalIndex } from '@tetrad/rollup-crypto';
import { TetradError } from '@tetrad/types';

/** What a view key discloses is not what is on the chain; the message says what, and where. */
export class DisclosureError extends TetradError {
  override readonly name = 'DisclosureError';
  override readonly code = 'DISCLOSURE_REFUSED';

  /**
   * @param place - where the difference is, such as an operation of a batch
   * @param difference - what is wrong there
   */
  constructor(
    readonly place: string,
    readonly difference: string,
  ) {
    super(`the view key is refused: ${place}: ${difference}`);
  }

  /** @param at - total index of the operation */
  static ofOperation(at: number, difference: string): DisclosureError {
    const { batchHeight, index } = splitTotalIndex(at);
    return new DisclosureError(`operation ${index} of batch ${batchHeight}`, difference);
  }
}
