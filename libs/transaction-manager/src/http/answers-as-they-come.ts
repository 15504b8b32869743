/** Texts in the order in which they come about; those of one turn of the event loop are one piece. */
export class AnswersAsTheyCome implements AsyncIterable<string> {
  private ready: string[] = [];
  private left: number;
  private wake: (() => void) | undefined;

  /** @param answers - at least one; none fails */
  constructor(answers: readonly Promise<string>[]) {
    this.left = answers.length;
    for (const answer of answers)
      void answer.then((text) => {
        this.ready.push(text);
        this.wake?.();
      });
  }

  /** Whether all of them were given. */
  get isOver(): boolean {
    return this.left === 0;
  }

  /** The next piece, once there is one. */
  async next(): Promise<string> {
    if (this.ready.length === 0) await new Promise<void>((done) => (this.wake = done));
    await new Promise((turn) => setImmediate(turn));
    const texts = this.ready;
    this.ready = [];
    this.left -= texts.length;
    return texts.join('');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    while (!this.isOver) yield await this.next();
  }
}
