import { TetradError } from '@tetrad/types';

import { REJECTIONS, type Rejection } from '../wire/rejection.js';

/** A handshake that did not lead to a session. */
export class HandshakeError extends TetradError {
  override readonly name = 'HandshakeError';
  override readonly code = 'HANDSHAKE_REFUSED';

  /** In: isOurs — whether this side refused */
  constructor(
    readonly rejection: Rejection,
    readonly isOurs: boolean,
  ) {
    super(isOurs ? REJECTIONS[rejection] : `the peer refused: ${rejection}`, { data: { rejection, isOurs } });
  }
}
