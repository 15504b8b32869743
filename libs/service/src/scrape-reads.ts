/** Time that a scrape waits for reads; scrapers commonly end after ten seconds. */
const WAIT_MS = 1_000;

type Read = () => Promise<void> | void;

/** Work that runs before a scrape. */
export class ScrapeReads {
  private readonly reads: Read[] = [];
  /** Those that have not ended yet: they are not started again, as a database that does not answer would gather them. */
  private readonly running = new Map<Read, Promise<void>>();

  add(read: Read): void {
    this.reads.push(read);
  }

  /**
   * Resolves when all reads have ended, or after a second. Never rejects.
   */
  async run(): Promise<void> {
    if (this.reads.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((done) => {
      timer = setTimeout(done, WAIT_MS);
    });
    await Promise.race([time, Promise.all(this.reads.map((read) => this.start(read)))]);
    clearTimeout(timer);
  }

  private start(read: Read): Promise<void> {
    const running = this.running.get(read) ?? this.once(read);
    this.running.set(read, running);
    return running;
  }

  private async once(read: Read): Promise<void> {
    try {
      await read();
    } catch {
      // The series keeps its last value; that a part is unavailable has a series and log lines of its own.
    } finally {
      this.running.delete(read);
    }
  }
}
