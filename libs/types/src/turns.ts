/** Runs one piece of work after the other, also when one fails. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing is under way. */
  async end(): Promise<void> {
    await this.last;
  }
}
