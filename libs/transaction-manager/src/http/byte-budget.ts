/** Memory that all bodies of requests and answers together may take. */
export class ByteBudget {
  private taken = 0;

  constructor(private readonly bytes: number) {}

  /** Bytes that are taken. */
  get used(): number {
    return this.taken;
  }

  /** Out: whether there was room, and it was taken */
  take(bytes: number): boolean {
    if (this.taken + bytes > this.bytes) return false;
    this.taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.taken -= bytes;
  }
}
