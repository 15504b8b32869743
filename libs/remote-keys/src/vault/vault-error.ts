import { TetradError } from '@tetrad/types';

/** A vault did not give a secret; the message says where and why, never anything secret. */
export class VaultError extends TetradError {
  override readonly name: string = 'VaultError';
  override readonly code = 'VAULT';

  constructor(
    message: string,
    /** Whether it may go away by itself, as the silence of a vault does. */
    readonly isTransient: boolean = false,
  ) {
    super(message);
  }
}
