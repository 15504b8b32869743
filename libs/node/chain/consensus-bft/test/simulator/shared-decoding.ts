import type { ConsensusMessage } from '../../src/messages/consensus-message.js';
import { decodeMessage } from '../../src/messages/message-decoding.js';
import type { HeaderFormat } from '../../src/messages/proposed-block.js';

/** Decodes what travels once for all who only watch; the engines decode for themselves. */
export class SharedDecoding {
  private readonly known = new WeakMap<Uint8Array, { readonly message: ConsensusMessage | undefined }>();

  constructor(private readonly format: HeaderFormat) {}

  /** @returns undefined when the bytes are not a message */
  decode(bytes: Uint8Array): ConsensusMessage | undefined {
    const known = this.known.get(bytes) ?? { message: this.attempt(bytes) };
    this.known.set(bytes, known);
    return known.message;
  }

  private attempt(bytes: Uint8Array): ConsensusMessage | undefined {
    try {
      return decodeMessage(bytes, { formatAt: () => this.format, maxBytes: 1e7, maxNested: 1_000 });
    } catch {
      return undefined;
    }
  }
}
