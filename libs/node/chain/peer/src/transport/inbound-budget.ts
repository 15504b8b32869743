/** Memory and concurrency of bodies while they are received and processed. */
export interface InboundLimits {
  readonly bytes: number;
  readonly bytesPerPeer: number;
  readonly concurrentPerPeer: number;
}

interface Usage {
  bodies: number;
  bytes: number;
}

/** Reserves room for a body by its declared length before a byte of it is read. */
export class InboundBudget {
  private bytes = 0;
  private readonly usage = new Map<string, Usage>();

  constructor(private readonly limits: InboundLimits) {}

  get reservedBytes(): number {
    return this.bytes;
  }

  /**
   * @param owner - sender of the body
   * @returns releases the reservation; undefined when the budget is used up
   */
  reserve(owner: string, length: number): (() => void) | undefined {
    const usage = this.usage.get(owner) ?? { bodies: 0, bytes: 0 };
    const { bytes, bytesPerPeer, concurrentPerPeer } = this.limits;
    const hasRoom =
      usage.bodies < concurrentPerPeer &&
      usage.bytes + length <= bytesPerPeer &&
      this.bytes + length <= bytes;
    if (!hasRoom) return undefined;
    this.change(owner, usage, { bodies: 1, bytes: length });
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.change(owner, usage, { bodies: -1, bytes: -length });
    };
  }

  private change(owner: string, usage: Usage, by: Usage): void {
    usage.bodies += by.bodies;
    usage.bytes += by.bytes;
    this.bytes += by.bytes;
    if (usage.bodies === 0) this.usage.delete(owner);
    else this.usage.set(owner, usage);
  }
}
