import { asBuffer, type Database } from '@tetrad/db';
import type { SealingParameters } from './wallet-rows.js';

interface StoredVault {
  readonly generation: number;
  readonly kdf: string;
  readonly scrypt_n: number;
  readonly scrypt_r: number;
  readonly scrypt_p: number;
  readonly salt: Buffer;
  readonly check_nonce: Buffer;
  readonly check_text: Buffer;
}

const COLUMNS = 'generation, kdf, scrypt_n, scrypt_r, scrypt_p, salt, check_nonce, check_text';

/** The sealing parameters; undefined in a new database. */
export async function findSealingRow({
  pool,
}: Pick<Database, 'pool'>): Promise<SealingParameters | undefined> {
  const { rows } = await pool.query<StoredVault>(`SELECT ${COLUMNS} FROM vault WHERE id = 1`);
  return rows[0] && toSealingParameters(rows[0]);
}

/** Stores the row unless one exists. Out: the stored row, this one or the existing one */
export async function createSealingRow(
  database: Pick<Database, 'pool'>,
  row: SealingParameters,
): Promise<SealingParameters> {
  const { generation, kdf, scryptN, scryptR, scryptP, salt, checkNonce, checkText } = row;
  await database.pool.query(
    `INSERT INTO vault (id, ${COLUMNS}) VALUES (1, $1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [
      ...[generation, kdf, scryptN, scryptR, scryptP],
      ...[asBuffer(salt), asBuffer(checkNonce), asBuffer(checkText)],
    ],
  );
  const stored = await findSealingRow(database);
  if (stored === undefined) throw new Error('the sealing parameters were deleted while they were stored');
  return stored;
}

function toSealingParameters(row: StoredVault): SealingParameters {
  const { generation, kdf, salt } = row;
  const cost = { scryptN: row.scrypt_n, scryptR: row.scrypt_r, scryptP: row.scrypt_p };
  return { generation, kdf, ...cost, salt, checkNonce: row.check_nonce, checkText: row.check_text };
}
