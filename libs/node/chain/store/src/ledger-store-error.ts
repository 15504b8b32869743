import { TetradError } from '@tetrad/types';

/** The database belongs to another chain or another node, or lacks required rows. */
export class LedgerStoreError extends TetradError {
  override readonly name = 'LedgerStoreError';
  override readonly code = 'LEDGER_STORE';
}
