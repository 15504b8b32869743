const WIDTH = 30;

/** A bar on a terminal, a line for every quarter elsewhere. */
export class Progress {
  private done = 0;
  private lastQuarter = 0;

  constructor(
    private readonly what: string,
    private readonly total: number,
  ) {}

  advance(): void {
    this.done += 1;
    const share = this.done / this.total;
    if (process.stdout.isTTY) {
      const filled = Math.round(share * WIDTH);
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
      process.stdout.write(`\r     ${bar} ${this.done}/${this.total} ${this.what}`);
      if (this.done === this.total) process.stdout.write('\r\x1b[K');
      return;
    }
    const quarter = Math.floor(share * 4);
    if (quarter > this.lastQuarter) {
      this.lastQuarter = quarter;
      console.log(`     ${this.done}/${this.total} ${this.what}`);
    }
  }
}
