import type { SharedStateCheck } from '@tetrad/node-private-state';

/** What private state and peers need of the confirmation of extensions. */
export interface PartyDesk {
  readonly check: SharedStateCheck;
  /**
   * Never fails and never waits.
   * @param hash - of a payload, 64 bytes
   * @param node - the peer that told of it
   */
  received(hash: Uint8Array, node: string): void;
}

/** Private state and peers are opened before parties can be asked: a state that is shared before waits for it. */
export class BoundConfirmations implements PartyDesk {
  private desk: PartyDesk | undefined;
  private settle: (desk: PartyDesk | undefined) => void = () => undefined;
  private readonly ready = new Promise<PartyDesk | undefined>((resolve) => (this.settle = resolve));

  readonly check: SharedStateCheck = async (offer) => {
    const desk = await this.ready;
    if (desk === undefined) return { kind: 'unavailable', reason: 'the node stops' };
    return desk.check(offer);
  };

  received(hash: Uint8Array, node: string): void {
    this.desk?.received(hash, node);
  }

  bind(desk: PartyDesk): void {
    this.desk = desk;
    this.settle(desk);
  }

  /** Ends what waits for parties that will not be asked any more. */
  close(): void {
    this.desk = undefined;
    this.settle(undefined);
  }
}
