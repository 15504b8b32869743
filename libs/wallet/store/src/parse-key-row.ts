import { asBuffer } from '@tetrad/db';
import { OperatorError } from '@tetrad/types';
import type { WalletKeyModel } from './generated/models.js';
import type { KeyKind, SealedKey } from './wallet-rows.js';

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

/** What is read of a key, by the client or by a statement. */
type ReadKey = Pick<
  WalletKeyModel,
  'address' | 'kind' | 'generation' | 'cipher' | 'nonce' | 'sealed' | 'derivationPath' | 'label'
>;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** A key of 32 bytes and a tag of 16. */
const SEALED_BYTES = 48;
/** Shortest and longest binary address of the coin network. */
const ADDRESS_BYTES = { min: 2, max: 64 };

/**
 * The typed row.
 *
 * @param row - as it was read
 * @throws WalletStoreError naming the row and the column, not the value
 */
export function parseKeyRow(row: ReadKey): SealedKey {
  const damaged = (column: string) =>
    new WalletStoreError(
      `wallet_key row of address ${asBuffer(row.address).toString('hex')}: ${column} is damaged`,
    );
  if (row.address.length < ADDRESS_BYTES.min || row.address.length > ADDRESS_BYTES.max) {
    throw damaged('address');
  }
  if (row.kind !== 1 && row.kind !== 2 && row.kind !== 3) throw damaged('kind');
  if (row.cipher !== CIPHER) throw damaged('cipher');
  if (row.nonce.length !== NONCE_BYTES) throw damaged('nonce');
  if (row.sealed.length !== SEALED_BYTES) throw damaged('sealed');
  const { address, kind, generation, cipher, nonce, sealed, derivationPath, label } = row;
  return {
    address,
    kind: kind satisfies KeyKind,
    generation,
    cipher,
    nonce,
    sealed,
    derivationPath: derivationPath ?? undefined,
    label: label ?? undefined,
  };
}
