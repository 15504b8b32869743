import { asBuffer, columnsOf, type SqlRow } from '@tetrad/db';
import { addressFromBytes, addressToBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import {
  chain,
  consensusRecord,
  flatStateHead,
  privateHead,
  stateHistory,
  validatorCandidate,
} from '../generated/tables.js';
import type { ChainIdentity } from '../ledger-rows.js';
import type { PrivateHead } from '../private-rows.js';
import type { Statements } from '../statements.js';

/**
 * What a start reads before the node serves, each row by its key. By statements: a node that uses the client for nothing else
 * would have its memory for as long as it runs, and the start would wait for its first call.
 */
const IDENTITY = `
  SELECT ${chain.columns.chainId}::text AS "chainId", ${columnsOf(chain, ['genesisHash'])}
    FROM ${chain.table} WHERE ${chain.columns.id} = 1`;

type Identity = SqlRow<typeof chain, 'genesisHash'> & { readonly chainId: string };

/** Identity of the stored chain; undefined in a new database. */
export async function findIdentity(statements: Statements): Promise<ChainIdentity | undefined> {
  const { rows } = await statements.query<Identity>(IDENTITY);
  return rows[0] && { chainId: BigInt(rows[0].chainId), genesisHash: hashFromBytes(rows[0].genesisHash) };
}

const FLAT_ROOT = `
  SELECT ${columnsOf(flatStateHead, ['stateRoot'])} FROM ${flatStateHead.table}
   WHERE ${flatStateHead.columns.id} = 1`;

/** The root of the flat state; undefined while its rows are of none. */
export async function findFlatRoot(statements: Statements): Promise<Hash | undefined> {
  const { rows } = await statements.query<SqlRow<typeof flatStateHead, 'stateRoot'>>(FLAT_ROOT);
  return rows[0] && hashFromBytes(rows[0].stateRoot);
}

const HAS_HISTORY = `SELECT FROM ${stateHistory.table} WHERE ${stateHistory.columns.id} = 1`;

/** Whether the history of states was ever bounded. */
export async function hasStateHistory(statements: Statements): Promise<boolean> {
  return (await statements.query(HAS_HISTORY)).rowCount === 1;
}

const CANDIDATES = `
  SELECT ${columnsOf(validatorCandidate, ['address', 'isAdd'])} FROM ${validatorCandidate.table}`;

/** Addresses that this node votes in (true) or out (false). */
export async function listCandidates(statements: Statements): Promise<Map<Address, boolean>> {
  const { rows } = await statements.query<SqlRow<typeof validatorCandidate, 'address' | 'isAdd'>>(CANDIDATES);
  return new Map(rows.map(({ address, isAdd }) => [addressFromBytes(address), isAdd]));
}

const RECORD = `
  SELECT ${columnsOf(consensusRecord, ['record'])} FROM ${consensusRecord.table}
   WHERE ${consensusRecord.columns.validator} = $1`;

/** The last saved record of the validator's key; undefined when it never signed here. */
export async function findRecord(
  statements: Statements,
  validator: Address,
): Promise<Uint8Array | undefined> {
  const values = [asBuffer(addressToBytes(validator))];
  return (await statements.query<SqlRow<typeof consensusRecord, 'record'>>(RECORD, values)).rows[0]?.record;
}

const PRIVATE_HEAD = `
  SELECT ${columnsOf(privateHead, ['number', 'hash'])} FROM ${privateHead.table} WHERE ${privateHead.columns.id} = 1`;

/** The block up to which private state followed the chain; undefined before the first. */
export async function findPrivateHead(statements: Statements): Promise<PrivateHead | undefined> {
  const { rows } = await statements.query<SqlRow<typeof privateHead, 'number' | 'hash'>>(PRIVATE_HEAD);
  return rows[0] && { number: rows[0].number, hash: hashFromBytes(rows[0].hash) };
}
