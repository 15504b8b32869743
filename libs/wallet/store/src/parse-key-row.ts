import { OperatorError } from '@tetrad/types';
import type { KeyKind, StoredKeyRow } from './wallet-rows.js';

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

/** A row of `wallet_key` as the driver gives it. */
export interface RawKeyRow {
  readonly address: Buffer;
  readonly kind: number;
  readonly generation: number;
  readonly cipher: string;
  readonly nonce: Buffer;
  readonly sealed: Buffer;
  readonly derivation_path: string | null;
  readonly label: string | null;
  readonly version: number;
}

/**
 * What a SELECT of such rows names. The version is PostgreSQL's own: the transaction that wrote the row.
 */
export const KEY_COLUMNS =
  'address, kind, generation, cipher, nonce, sealed, derivation_path, label, xmin::text::bigint AS version';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** A key of 32 bytes and a tag of 16. */
const SEALED_BYTES = 48;
/** Shortest and longest binary address of the coin network. */
const ADDRESS_BYTES = { min: 2, max: 64 };

/** The typed row. Fails: WalletStoreError naming the row and the column, not the value */
export function parseKeyRow(row: RawKeyRow): StoredKeyRow {
  const damaged = (column: string) =>
    new WalletStoreError(`wallet_key row of address ${row.address.toString('hex')}: ${column} is damaged`);
  if (row.address.length < ADDRESS_BYTES.min || row.address.length > ADDRESS_BYTES.max) {
    throw damaged('address');
  }
  if (row.kind !== 1 && row.kind !== 2 && row.kind !== 3) throw damaged('kind');
  if (row.cipher !== CIPHER) throw damaged('cipher');
  if (row.nonce.length !== NONCE_BYTES) throw damaged('nonce');
  if (row.sealed.length !== SEALED_BYTES) throw damaged('sealed');
  return {
    address: row.address,
    kind: row.kind satisfies KeyKind,
    generation: row.generation,
    cipher: row.cipher,
    nonce: row.nonce,
    sealed: row.sealed,
    derivationPath: row.derivation_path ?? undefined,
    label: row.label ?? undefined,
    version: row.version,
  };
}
