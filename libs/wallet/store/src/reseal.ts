import { asBuffer, type Database } from '@tetrad/db';
import type { PoolClient } from 'pg';
import { insertAuditRecords } from './insert-audit.js';
import { KEY_COLUMNS, parseKeyRow, type RawKeyRow, PassphraseChangedError } from './parse-key-row.js';
import type { AuditRecord, KeyRow, SealingParameters } from './wallet-rows.js';

/** What a change of the passphrase makes of the rows. */
export interface Resealed {
  readonly parameters: SealingParameters;
  readonly keys: readonly Pick<KeyRow, 'address' | 'generation' | 'nonce' | 'sealed'>[];
}

/**
 * Replaces the sealing parameters and every sealed key in one transaction: all are under the new passphrase, or none.
 *
 * In:    generation — that of the parameters as the caller knows it
 * Fails: PassphraseChangedError when it is another one by now; whatever `reseal` throws, with nothing changed
 */
export function resealKeys(
  database: Database,
  parts: {
    readonly generation: number;
    readonly reseal: (keys: readonly KeyRow[]) => Resealed;
    readonly audit: AuditRecord;
  },
): Promise<void> {
  return database.transaction(async (client) => {
    const { rowCount } = await client.query('SELECT FROM vault WHERE id = 1 AND generation = $1 FOR UPDATE', [
      parts.generation,
    ]);
    if (rowCount !== 1) throw new PassphraseChangedError();
    const { rows } = await client.query<RawKeyRow>(
      `SELECT ${KEY_COLUMNS} FROM wallet_key ORDER BY address FOR UPDATE`,
    );
    await write(client, parts.reseal(rows.map(parseKeyRow)));
    await insertAuditRecords(client, [{ record: parts.audit }]);
  });
}

async function write(client: PoolClient, { parameters, keys }: Resealed): Promise<void> {
  await client.query(
    `UPDATE vault SET generation = $1, kdf = $2, scrypt_n = $3, scrypt_r = $4, scrypt_p = $5, salt = $6,
            check_nonce = $7, check_text = $8 WHERE id = 1`,
    [
      parameters.generation,
      parameters.kdf,
      ...[parameters.scryptN, parameters.scryptR, parameters.scryptP],
      ...[asBuffer(parameters.salt), asBuffer(parameters.checkNonce), asBuffer(parameters.checkText)],
    ],
  );
  await client.query(
    `UPDATE wallet_key SET generation = new.generation, nonce = new.nonce, sealed = new.sealed
       FROM unnest($1::bytea[], $2::int[], $3::bytea[], $4::bytea[]) AS new (address, generation, nonce, sealed)
      WHERE wallet_key.address = new.address`,
    [
      keys.map(({ address }) => asBuffer(address)),
      keys.map(({ generation }) => generation),
      keys.map(({ nonce }) => asBuffer(nonce)),
      keys.map(({ sealed }) => asBuffer(sealed)),
    ],
  );
}
