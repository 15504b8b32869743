import type { SharedStateCheck } from '@tetrad/node-private-state';

/** What private state and peers need of the confirmation of extensions. */
export interface MessagesOfParties {
  readonly check: SharedStateCheck;
  /**
   * Never fails and never waits.
   * @param hash - of a payload, 64 bytes
   * @param node - the peer that told of it
   */
  received(hash: Uint8Array, node: string): void;
}

/** Private state and peers are opened before parties can be asked: a state that is shared before waits for it. */
export class BoundConfirmations implements MessagesOfParties {
  private messages: MessagesOfParties | undefined;
  private settle: (messages: MessagesOfParties | undefined) => void = () => undefined;
  private readonly ready = new Promise<MessagesOfParties | undefined>((resolve) => (this.settle = resolve));

  readonly check: SharedStateCheck = async (offer) => {
    const messages = await this.ready;
    if (messages === undefined) return { kind: 'unavailable', reason: 'the node stops' };
    return messages.check(offer);
  };

  received(hash: Uint8Array, node: string): void {
    this.messages?.received(hash, node);
  }

  bind(messages: MessagesOfParties): void {
    this.messages = messages;
    this.settle(messages);
  }

  /** Ends what waits for parties that will not be asked any more. */
  close(): void {
    this.messages = undefined;
    this.settle(undefined);
  }
}
