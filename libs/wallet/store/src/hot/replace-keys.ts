import { asBuffer } from '@tetrad/db';
import type { PoolClient } from 'pg';
import { walletKey } from '../generated/tables.js';
import type { SealedKey } from '../wallet-rows.js';

const { table, columns } = walletKey;
const REPLACE = `
  UPDATE ${table}
     SET ${columns.generation} = new.generation, ${columns.nonce} = new.nonce, ${columns.sealed} = new.sealed
    FROM unnest($1::bytea[], $2::int[], $3::bytea[], $4::bytea[]) AS new (address, generation, nonce, sealed)
   WHERE ${table}.${columns.address} = new.address`;

/** Replaces how every key is sealed, in one statement. */
export async function replaceKeys(
  statements: Pick<PoolClient, 'query'>,
  keys: readonly Pick<SealedKey, 'address' | 'generation' | 'nonce' | 'sealed'>[],
): Promise<void> {
  await statements.query(REPLACE, [
    keys.map(({ address }) => asBuffer(address)),
    keys.map(({ generation }) => generation),
    keys.map(({ nonce }) => asBuffer(nonce)),
    keys.map(({ sealed }) => asBuffer(sealed)),
  ]);
}
