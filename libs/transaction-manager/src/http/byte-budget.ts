/** What a port takes memory of for the bodies of its requests and answers. */
export interface RequestBudget {
  /** Bytes that are taken, on all ports. */
  readonly used: number;
  /**
   * @param sender - address of the client
   * @returns whether there was room, and it was taken
   */
  take(bytes: number, sender: string): boolean;
  give(bytes: number, sender: string): void;
}

/** Memory that bodies of requests and answers together may take. */
export class ByteBudget implements RequestBudget {
  private taken = 0;

  constructor(
    private readonly bytes: number,
    private readonly whole?: ByteBudget,
  ) {}

  get used(): number {
    return this.whole?.used ?? this.taken;
  }

  /** Bytes that are left here; there may be fewer left of the whole. */
  get left(): number {
    return this.bytes - this.taken;
  }

  /** A part of it for one port, so that its clients leave room for those of others. */
  part(bytes: number): ByteBudget {
    return new ByteBudget(bytes, this);
  }

  take(bytes: number): boolean {
    if (bytes > this.left || this.whole?.take(bytes) === false) return false;
    this.taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.taken -= bytes;
    this.whole?.give(bytes);
  }
}

/**
 * A budget of which one sender never has more than it leaves to others, so that bodies which never end keep no other
 * sender away.
 */
export class SharedBudget implements RequestBudget {
  private readonly senders = new Map<string, number>();

  /** @param least - bytes that a sender may have however little it leaves: one request */
  constructor(
    private readonly budget: ByteBudget,
    private readonly least: number,
  ) {}

  get used(): number {
    return this.budget.used;
  }

  take(bytes: number, sender: string): boolean {
    const after = (this.senders.get(sender) ?? 0) + bytes;
    if (after > this.least && after > this.budget.left - bytes) return false;
    if (!this.budget.take(bytes)) return false;
    this.senders.set(sender, after);
    return true;
  }

  give(bytes: number, sender: string): void {
    this.budget.give(bytes);
    const left = (this.senders.get(sender) ?? 0) - bytes;
    if (left > 0) this.senders.set(sender, left);
    else this.senders.delete(sender);
  }
}
