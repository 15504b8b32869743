import { TetradError } from '@tetrad/types';

import { REFUSALS, type Refusal } from '../wire/refusal.js';

/** A handshake that did not lead to a session. */
export class HandshakeError extends TetradError {
  override readonly name = 'HandshakeError';
  override readonly code = 'HANDSHAKE_REFUSED';

  /** In: isOurs — whether this side refused */
  constructor(
    readonly refusal: Refusal,
    readonly isOurs: boolean,
  ) {
    super(isOurs ? REFUSALS[refusal] : `the peer refused: ${refusal}`, { data: { refusal, isOurs } });
  }
}
