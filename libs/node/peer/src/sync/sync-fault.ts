import { TetradError } from '@tetrad/types';

import type { Penalty } from '../peers/peer-score.js';

/** Why blocks are no longer taken from a peer. */
export class SyncFault extends TetradError {
  override readonly name = 'SyncFault';
  override readonly code = 'SYNC_FAULT';

  /** In: penalty — of the offence; undefined when another peer is merely better */
  constructor(
    readonly penalty: Penalty | undefined,
    message: string,
  ) {
    super(message);
  }
}
