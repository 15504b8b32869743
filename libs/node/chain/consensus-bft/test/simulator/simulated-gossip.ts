export interface GossipOptions {
  /** Numbers of the nodes it has a connection to. */
  readonly others: readonly number[];
  /** Whether senders ask for relaying, as those do that cannot reach every validator. */
  readonly relays: boolean;
  readonly send: (to: number, bytes: Uint8Array) => void;
  /**
   * Passes a message to the engine.
   * @returns whether it is accepted
   */
  readonly accept: (bytes: Uint8Array) => boolean;
}

/** How the consensus messages of one process travel: as by the consensus relay of peers (docs/adr/0034). */
export class SimulatedGossip {
  /** Messages that this node sent or accepted, in hexadecimal digits. */
  private readonly seen = new Set<string>();
  /** Number of a node → messages that it has. */
  private readonly known: ReadonlyMap<number, Set<string>>;

  constructor(private readonly options: GossipOptions) {
    this.known = new Map(options.others.map((other) => [other, new Set()]));
  }

  broadcast(bytes: Uint8Array): void {
    this.seen.add(idOf(bytes));
    for (const other of this.options.others) this.options.send(other, bytes);
  }

  receive(bytes: Uint8Array, from: number): void {
    const id = idOf(bytes);
    const isSentAgain = this.known.get(from)?.has(id) === true;
    this.known.get(from)?.add(id);
    if (this.seen.has(id) && !isSentAgain) return;
    if (!this.options.accept(bytes)) return;
    this.seen.add(id);
    if (this.options.relays)
      this.passOn({ id, bytes }, (other, has) => other !== from && (isSentAgain || !has));
  }

  private passOn(
    { id, bytes }: { readonly id: string; readonly bytes: Uint8Array },
    mayLack: (other: number, has: boolean) => boolean,
  ): void {
    for (const [other, known] of this.known) {
      if (!mayLack(other, known.has(id))) continue;
      known.add(id);
      this.options.send(other, bytes);
    }
  }
}

function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
