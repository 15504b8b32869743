/** The peers that have a question. */
export interface AskedSources {
  /** Waits until the peer has none, and takes it. */
  take(nodeId: string): Promise<void>;
  give(nodeId: string): void;
}

/**
 * One piece of work's turn with a peer, which answers one question at a time: taken for each question, and given on as soon as its
 * answer is there, so that the next question is under way while this answer is verified and stored.
 */
export class SourceTurn {
  /** @param isTaken - by who makes it */
  constructor(
    private readonly asked: AskedSources,
    private readonly nodeId: string,
    private isTaken: boolean,
  ) {}

  async take(): Promise<void> {
    if (this.isTaken) return;
    await this.asked.take(this.nodeId);
    this.isTaken = true;
  }

  /** Also for work that ended without a question. */
  give(): void {
    if (!this.isTaken) return;
    this.isTaken = false;
    this.asked.give(this.nodeId);
  }

  /** Gives it on, and lets who waits for it send a question before anything else is computed. */
  async pass(): Promise<void> {
    this.give();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
