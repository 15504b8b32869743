import { OperatorError } from '@tetrad/types';

/** The vault cannot be opened; the message says why and names no secret. */
export class VaultError extends OperatorError {
  override readonly name: string = 'VaultError';
  override readonly code: 'VAULT' | 'DAMAGED_KEY' = 'VAULT';
}

/** A sealed key that does not open: its row was changed by somebody else, or belongs to another address. */
export class DamagedKeyError extends VaultError {
  override readonly name = 'DamagedKeyError';
  override readonly code = 'DAMAGED_KEY';
}
