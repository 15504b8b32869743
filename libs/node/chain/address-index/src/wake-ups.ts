/** Calls to a loop that works as far as it comes and then waits: one that comes while it works is not lost. */
export class WakeUps {
  private isCalled = false;
  private call: () => void = () => undefined;

  /** Before the loop looks at what there is: calls from now on are for what it may not see. */
  begin(): void {
    this.isCalled = false;
  }

  /** Has the loop look again. */
  wake(): void {
    this.isCalled = true;
    this.call();
  }

  /**
   * Resolves with the first call since `begin`.
   *
   * @param maximumMs - when it resolves without one; undefined for never
   */
  async next(maximumMs: number | undefined): Promise<void> {
    if (this.isCalled) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.call = resolve;
      if (maximumMs !== undefined) timer = setTimeout(resolve, maximumMs);
    });
    clearTimeout(timer);
    this.call = () => undefined;
  }
}
