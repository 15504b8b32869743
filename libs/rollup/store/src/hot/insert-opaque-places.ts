import { encodeWord, encodeWords, operationKinds } from '@tetrad/rollup-crypto';
import { addressToBytes } from '@tetrad/types';
import { opaquePlace } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { OpaquePlace } from '../opaque-rows.js';
import type { Statements } from '../statements.js';

const record = jsonRecord(opaquePlace, {
  batchHeight: 'bigint',
  batchIndex: 'int',
  kind: 'int',
  accountId: 'int',
  tokenId: 'int',
  amount: 'numeric',
  recipient: 'bytea',
  ciphertext: 'bytea',
  leaf: 'bytea',
  orderHash: 'bytea',
  blindingFactor: 'bytea',
} as const);
const INSERT = `
  INSERT INTO ${opaquePlace.table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})`;

/** Keeps what cannot be read, of a batch. */
export async function insertOpaquePlaces(to: Statements, places: readonly OpaquePlace[]): Promise<void> {
  if (places.length > 0) await to.query(INSERT, [JSON.stringify(places.map(writtenPlace))]);
}

type Written = JsonRow<typeof opaquePlace, keyof NonNullable<(typeof opaquePlace)['model']>>;

function writtenPlace(place: OpaquePlace): Written {
  const { batchHeight, batchIndex, accountId, tokenId, blindingFactor } = place;
  return {
    batchHeight,
    batchIndex,
    kind: operationKinds[place.kind],
    accountId,
    tokenId,
    amount: String(place.amount),
    recipient: hexOf(addressToBytes(place.recipient)),
    ciphertext: hexOf(encodeWords(place.words)),
    leaf: hexOf(encodeWord(place.leaf)),
    orderHash: hexOf(encodeWord(place.orderHash)),
    blindingFactor: blindingFactor === undefined ? undefined : hexOf(encodeWord(blindingFactor)),
  };
}
