import { RequestError } from '@tetrad/types';

/** Counts the bytes of an answer while it is assembled, so that one over the limit is never held whole. */
export class AnswerBudget {
  private left: number;

  constructor(private readonly limit: number) {
    this.left = limit;
  }

  /**
   * @param bytes - of the added part, as JSON
   * @throws RequestError RESPONSE_TOO_LARGE, in geth's words
   */
  spend(bytes: number): void {
    this.left -= bytes;
    if (this.left < 0) throw responseTooLarge(this.limit);
  }
}

export function responseTooLarge(limit: number): RequestError {
  return new RequestError('RESPONSE_TOO_LARGE', 'response too large', { limit });
}
