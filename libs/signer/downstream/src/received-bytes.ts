import { MAX_RECEIVED_BYTES, UNCOUNTED_BYTES } from './params.js';

/** What one answer holds so far. */
export interface ReceivedShare {
  /** Whether so many more bytes of it may be received; they are counted then. */
  admit(bytes: number): boolean;
  /** It is whole, or given up. */
  release(): void;
}

/** Bounds the memory of answers that are being received. */
export class ReceivedBytes {
  private counted = 0;

  constructor(private readonly max = MAX_RECEIVED_BYTES) {}

  /** For one answer. */
  open(): ReceivedShare {
    let [received, own] = [0, 0];
    return {
      admit: (bytes) => {
        received += bytes;
        const more = Math.max(0, received - UNCOUNTED_BYTES) - own;
        if (more > 0 && this.counted + more > this.max) return false;
        own += more;
        this.counted += more;
        return true;
      },
      release: () => {
        this.counted -= own;
        own = 0;
      },
    };
  }
}
