import type { Offence } from '../peers/offence.js';

/** Why blocks are no longer taken from a peer. */
export class SyncFault extends Error {
  override readonly name = 'SyncFault';

  /** In: offence — what it did wrong; undefined when another peer is merely better */
  constructor(
    readonly offence: Offence | undefined,
    message: string,
  ) {
    super(message);
  }
}
