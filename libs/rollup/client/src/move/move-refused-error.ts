import { OperatorError } from '@tetrad/types';

/** A move does not begin; nothing was sent. */
export class MoveRefusedError extends OperatorError {
  override readonly name = 'MoveRefusedError';

  /** @param problems - what is in the way, in words, one or more */
  constructor(readonly problems: readonly string[]) {
    super(`the move does not begin, and nothing was sent: ${problems.join('; ')}`);
  }
}
