import { asBuffer, type Database } from '@tetrad/db';
import { addressFromBytes, addressToBytes, parsePtmKey, type Address, type PtmKey } from '@tetrad/types';
import type pg from 'pg';

/** An extension of a private contract known to this node, as its management contract started it. */
export interface ExtensionRow {
  readonly management: Address;
  readonly contract: Address;
  readonly initiator: Address;
  readonly recipient: Address;
  readonly recipientKey: PtmKey;
  /** Hash of the payload that created the management contract, 64 bytes. */
  readonly creation: Uint8Array;
  /** Whether this node's manager sent that payload. */
  readonly isInitiator: boolean;
  /** Whether this node's manager holds the key of the recipient. */
  readonly isRecipient: boolean;
}

/** An active extension. */
export interface ActiveExtensionRow extends ExtensionRow {
  /** Whether all have approved, so that the state may be shared. */
  readonly isApproved: boolean;
}

/** An extension, active or not. */
export interface KnownExtensionRow extends ExtensionRow {
  readonly approvedBlock: number | undefined;
  readonly finishedBlock: number | undefined;
}

/** Changes of a block to extensions, by their management contracts; changes of unknown ones are not stored. */
export interface ExtensionChanges {
  readonly started: readonly ExtensionRow[];
  readonly approved: readonly Address[];
  readonly finished: readonly Address[];
}

/** Limit on the listed active extensions; starting one costs a transaction. */
const MOST_ACTIVE = 10_000;
/** Limit on the listed extensions of one contract that have ended. */
const MOST_ENDED = 100;

/** Active extensions of this node, oldest first. */
export async function listActiveExtensions(database: Database): Promise<ActiveExtensionRow[]> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'list-active-extensions',
    text: `SELECT * FROM private_extension WHERE finished_block IS NULL AND (is_initiator OR is_recipient)
            ORDER BY started_block, management LIMIT ${MOST_ACTIVE}`,
  });
  return rows.map(toRow);
}

/** Active extensions known to this node, also those in which it has no part, oldest first. Bounds: 10,000 */
export async function listKnownExtensions(database: Database): Promise<ActiveExtensionRow[]> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'list-known-extensions',
    text: `SELECT * FROM private_extension WHERE finished_block IS NULL
            ORDER BY started_block, management LIMIT ${MOST_ACTIVE}`,
  });
  return rows.map(toRow);
}

/** Out: undefined for a management contract unknown to this node, and for one that has finished */
export async function findActiveExtension(
  database: Database,
  management: Address,
): Promise<ActiveExtensionRow | undefined> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'find-active-extension',
    text: 'SELECT * FROM private_extension WHERE management = $1 AND finished_block IS NULL',
    values: [asBuffer(addressToBytes(management))],
  });
  return rows[0] && toRow(rows[0]);
}

/** As `findActiveExtension`, also one that has finished. */
export async function findAnyExtension(
  database: Database,
  management: Address,
): Promise<KnownExtensionRow | undefined> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'find-any-extension',
    text: 'SELECT * FROM private_extension WHERE management = $1',
    values: [asBuffer(addressToBytes(management))],
  });
  return rows[0] && toKnownRow(rows[0]);
}

/** Extensions of the contract that were approved and have ended, oldest first. Bounds: 100 */
export async function listEndedExtensions(
  database: Database,
  contract: Address,
): Promise<KnownExtensionRow[]> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'list-ended-extensions',
    text: `SELECT * FROM private_extension
            WHERE contract = $1 AND approved_block IS NOT NULL AND finished_block IS NOT NULL
            ORDER BY started_block, management LIMIT ${MOST_ENDED}`,
    values: [asBuffer(addressToBytes(contract))],
  });
  return rows.map(toKnownRow);
}

/** The contract of an extension that was active after the block; undefined without one. */
export async function findExtendedContract(
  database: Database,
  management: Address,
  blockNumber: number,
): Promise<Address | undefined> {
  const { rows } = await database.pool.query<{ contract: Buffer }>({
    name: 'find-extended-contract',
    text: `SELECT contract FROM private_extension
            WHERE management = $1 AND started_block <= $2 AND (finished_block IS NULL OR finished_block > $2)`,
    values: [asBuffer(addressToBytes(management)), blockNumber],
  });
  return rows[0] && addressFromBytes(rows[0].contract);
}

/** Whether this node has started an extension of the contract that is active: other nodes cannot block one. */
export async function isExtending(database: Database, contract: Address): Promise<boolean> {
  const { rowCount } = await database.pool.query({
    name: 'is-extending',
    text: 'SELECT FROM private_extension WHERE contract = $1 AND finished_block IS NULL AND is_initiator LIMIT 1',
    values: [asBuffer(addressToBytes(contract))],
  });
  return rowCount === 1;
}

/** Active extensions of the contract known to this node, also those in which it has no part, oldest first. Bounds: 10,000 */
export async function listExtensionsOf(database: Database, contract: Address): Promise<ActiveExtensionRow[]> {
  const { rows } = await database.pool.query<ExtensionColumns>({
    name: 'list-extensions-of',
    text: `SELECT * FROM private_extension WHERE contract = $1 AND finished_block IS NULL
            ORDER BY started_block, management LIMIT ${MOST_ACTIVE}`,
    values: [asBuffer(addressToBytes(contract))],
  });
  return rows.map(toRow);
}

/** Those of the contracts of which an extension to the key was approved and has ended, as far as this node knows of it. */
export async function listExtendedTo(
  database: Database,
  contracts: readonly Address[],
  key: PtmKey,
): Promise<Address[]> {
  const { rows } = await database.pool.query<{ contract: Buffer }>({
    name: 'list-extended-to',
    text: `SELECT DISTINCT contract FROM private_extension
            WHERE contract = ANY($1::bytea[]) AND recipient_key = $2
              AND approved_block IS NOT NULL AND finished_block IS NOT NULL`,
    values: [contracts.map((contract) => asBuffer(addressToBytes(contract))), Buffer.from(key, 'base64')],
  });
  return rows.map(({ contract }) => addressFromBytes(contract));
}

/** Writes the changes of a block, in its transaction. */
export async function writeExtensions(
  client: pg.ClientBase,
  blockNumber: number,
  { started, approved, finished }: ExtensionChanges,
): Promise<void> {
  if (started.length > 0) await writeStarted(client, blockNumber, started);
  if (approved.length > 0) await writeMark(client, blockNumber, 'approved_block', approved);
  if (finished.length > 0) await writeMark(client, blockNumber, 'finished_block', finished);
}

async function writeStarted(
  client: pg.ClientBase,
  blockNumber: number,
  rows: readonly ExtensionRow[],
): Promise<void> {
  await client.query({
    name: 'append-extensions',
    text: `INSERT INTO private_extension (management, contract, initiator, recipient, recipient_key, creation,
                                          is_initiator, is_recipient, started_block)
           SELECT *, $1::bigint FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[],
                                            $8::boolean[], $9::boolean[])
               ON CONFLICT DO NOTHING`,
    values: [
      blockNumber,
      ...[
        rows.map(({ management }) => asBuffer(addressToBytes(management))),
        rows.map(({ contract }) => asBuffer(addressToBytes(contract))),
        rows.map(({ initiator }) => asBuffer(addressToBytes(initiator))),
        rows.map(({ recipient }) => asBuffer(addressToBytes(recipient))),
        rows.map(({ recipientKey }) => Buffer.from(recipientKey, 'base64')),
        rows.map(({ creation }) => asBuffer(creation)),
        rows.map(({ isInitiator }) => isInitiator),
        rows.map(({ isRecipient }) => isRecipient),
      ],
    ],
  });
}

async function writeMark(
  client: pg.ClientBase,
  blockNumber: number,
  column: 'approved_block' | 'finished_block',
  management: readonly Address[],
): Promise<void> {
  await client.query({
    name: `mark-extensions-${column}`,
    text: `UPDATE private_extension SET ${column} = $1
            WHERE management = ANY($2::bytea[]) AND ${column} IS NULL AND finished_block IS NULL`,
    values: [blockNumber, management.map((address) => asBuffer(addressToBytes(address)))],
  });
}

interface ExtensionColumns {
  readonly management: Buffer;
  readonly contract: Buffer;
  readonly initiator: Buffer;
  readonly recipient: Buffer;
  readonly recipient_key: Buffer;
  readonly creation: Buffer;
  readonly is_initiator: boolean;
  readonly is_recipient: boolean;
  readonly approved_block: number | null;
  readonly finished_block: number | null;
}

function toKnownRow(row: ExtensionColumns): KnownExtensionRow {
  return {
    ...toExtension(row),
    approvedBlock: row.approved_block ?? undefined,
    finishedBlock: row.finished_block ?? undefined,
  };
}

function toRow(row: ExtensionColumns): ActiveExtensionRow {
  return { ...toExtension(row), isApproved: row.approved_block !== null };
}

function toExtension(row: ExtensionColumns): ExtensionRow {
  return {
    management: addressFromBytes(row.management),
    contract: addressFromBytes(row.contract),
    initiator: addressFromBytes(row.initiator),
    recipient: addressFromBytes(row.recipient),
    recipientKey: parsePtmKey(row.recipient_key.toString('base64')),
    creation: row.creation,
    isInitiator: row.is_initiator,
    isRecipient: row.is_recipient,
  };
}
