import { OperatorError } from '@tetrad/types';

/** The database does not hold what it must; the message names the row, never what is in it. */
export class WalletStoreError extends OperatorError {
  override readonly name = 'WalletStoreError';
  override readonly code = 'WALLET_STORE';
}

/** The passphrase was changed while this process ran with the older one. */
export class PassphraseChangedError extends OperatorError {
  override readonly name = 'PassphraseChangedError';
  override readonly code = 'VAULT_CHANGED';

  constructor() {
    super('the passphrase of the wallet was changed; restart with the new one');
  }
}
