import { TetradError } from '@tetrad/types';

import type { Offence } from '../peers/offence.js';

/** Why blocks are no longer taken from a peer. */
export class SyncFault extends TetradError {
  override readonly name = 'SyncFault';
  override readonly code = 'SYNC_FAULT';

  /** In: offence — what it did wrong; undefined when another peer is merely better */
  constructor(
    readonly offence: Offence | undefined,
    message: string,
  ) {
    super(message);
  }
}
