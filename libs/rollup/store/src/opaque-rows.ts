import { asBuffer } from '@tetrad/db';
import {
  decodeWord,
  decodeWords,
  encodeWord,
  encodeWords,
  operationKinds,
  type SignedKind,
} from '@tetrad/rollup-crypto';
import { addressFromBytes, addressToBytes, type Address } from '@tetrad/types';
import type { PoolClient } from 'pg';
import type { BatchPlace } from './execution-rows.js';

/** What the chain says of a signed operation in a batch. Kept of those whose account cannot be read. */
export interface PublicPlace extends BatchPlace {
  readonly kind: SignedKind['kind'];
  readonly accountId: number;
  /** Of transfers out; 0 otherwise. */
  readonly tokenId: number;
  readonly amount: bigint;
  readonly recipient: Address;
  /** The 15 words as published, which need not be a ciphertext. */
  readonly words: readonly bigint[];
  /** Of the account tree, afterwards. */
  readonly leaf: bigint;
  /** Hash of the created money order, or 0. */
  readonly orderHash: bigint;
}

/** A place whose account cannot be read. */
export interface OpaquePlace extends PublicPlace {
  /** Of a new account, as the operator's key reads it in the words; undefined without the key. */
  readonly blindingFactor?: bigint | undefined;
}

/** What a registration says that a creation on the chain may say too. */
export interface Registration {
  readonly words: readonly bigint[];
  readonly blindingFactor: bigint;
}

interface RawPlace {
  readonly batch_height: number;
  readonly batch_index: number;
  readonly kind: number;
  readonly account_id: number;
  readonly token_id: number;
  readonly amount: string;
  readonly recipient: Buffer;
  readonly ciphertext: Buffer;
  readonly leaf: Buffer;
  readonly order_hash: Buffer;
  readonly blinding_factor: Buffer | null;
}

const COLUMNS = `batch_height, batch_index, kind, account_id, token_id, amount, recipient, ciphertext, leaf, order_hash,
  blinding_factor`;

const INSERT = `
  INSERT INTO opaque_place (${COLUMNS})
  SELECT batch_height, batch_index, kind, account_id, token_id, amount, decode(recipient, 'hex'),
         decode(ciphertext, 'hex'), decode(leaf, 'hex'), decode(order_hash, 'hex'), decode(blinding_factor, 'hex')
    FROM json_to_recordset($1::json) AS new (batch_height bigint, batch_index int, kind int, account_id int,
         token_id int, amount numeric, recipient text, ciphertext text, leaf text, order_hash text,
         blinding_factor text)`;

export async function insertOpaquePlaces(client: PoolClient, places: readonly OpaquePlace[]): Promise<void> {
  if (places.length > 0) await client.query(INSERT, [JSON.stringify(places.map(writtenPlace))]);
}

/** Creations of accounts in batches of others with the text or the blinding factor of a registration; of several the first ones. */
export async function findOpaqueCreations(
  client: PoolClient,
  registrations: readonly Registration[],
): Promise<OpaquePlace[]> {
  if (registrations.length === 0) return [];
  const { rows } = await client.query<RawPlace>({
    name: 'opaque-creations',
    text: `
      SELECT ${COLUMNS} FROM unnest($1::bytea[], $2::bytea[]) AS asked (text, factor)
       CROSS JOIN LATERAL (
             SELECT * FROM opaque_place
              WHERE (ciphertext = asked.text OR blinding_factor = asked.factor) AND kind = ${operationKinds.createAccount}
              ORDER BY batch_height, batch_index LIMIT ${SAME_TEXT}) AS place`,
    values: [
      registrations.map(({ words }) => asBuffer(encodeWords(words))),
      registrations.map(({ blindingFactor }) => asBuffer(encodeWord(blindingFactor))),
    ],
  });
  return rows.map(parsePlace);
}

/** Accounts with the same text or factor are of one holder, who can make any number of them. */
const SAME_TEXT = 16;

/** The history of an opaque account, in order. */
export async function findOpaqueHistory(client: PoolClient, accountId: number): Promise<OpaquePlace[]> {
  const { rows } = await client.query<RawPlace>({
    name: 'opaque-history',
    text: `SELECT ${COLUMNS} FROM opaque_place WHERE account_id = $1 ORDER BY batch_height, batch_index`,
    values: [accountId],
  });
  return rows.map(parsePlace);
}

/** Forgets places that are read now. */
export async function deleteOpaquePlaces(client: PoolClient, places: readonly BatchPlace[]): Promise<void> {
  if (places.length === 0) return;
  await client.query({
    name: 'delete-opaque-places',
    text: `DELETE FROM opaque_place USING unnest($1::bigint[], $2::int[]) AS read (height, index)
            WHERE batch_height = read.height AND batch_index = read.index`,
    values: [places.map(({ batchHeight }) => batchHeight), places.map(({ batchIndex }) => batchIndex)],
  });
}

const hex = (bytes: Uint8Array) => asBuffer(bytes).toString('hex');

function writtenPlace(place: OpaquePlace) {
  const { blindingFactor } = place;
  return {
    ...{ batch_height: place.batchHeight, batch_index: place.batchIndex, kind: operationKinds[place.kind] },
    ...{ account_id: place.accountId, token_id: place.tokenId, amount: String(place.amount) },
    ...{ recipient: hex(addressToBytes(place.recipient)), ciphertext: hex(encodeWords(place.words)) },
    ...{ leaf: hex(encodeWord(place.leaf)), order_hash: hex(encodeWord(place.orderHash)) },
    ...(blindingFactor === undefined ? {} : { blinding_factor: hex(encodeWord(blindingFactor)) }),
  };
}

function parsePlace(row: RawPlace): OpaquePlace {
  const { blinding_factor: factor } = row;
  return {
    ...{
      batchHeight: row.batch_height,
      batchIndex: row.batch_index,
      kind: KINDS[row.kind - 1] as SignedKind['kind'],
    },
    ...{ accountId: row.account_id, tokenId: row.token_id, amount: BigInt(row.amount) },
    ...{ recipient: addressFromBytes(row.recipient), words: decodeWords(row.ciphertext) },
    ...{ leaf: decodeWord(row.leaf), orderHash: decodeWord(row.order_hash) },
    blindingFactor: factor === null ? undefined : decodeWord(factor),
  };
}

const KINDS = ['createAccount', 'createMoneyOrder', 'redeemMoneyOrder', 'outboundTransfer'] as const;
