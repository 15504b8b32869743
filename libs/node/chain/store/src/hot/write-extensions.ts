import { asBuffer, namesOf } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import type { StoredExtension } from '../extension-rows.js';
import { privateExtension } from '../generated/tables.js';
import type { Statements } from '../statements.js';

const { table, columns } = privateExtension;
const FIELDS = [
  'management',
  'contract',
  'initiator',
  'recipient',
  'recipientKey',
  'creation',
  'isInitiator',
  'isRecipient',
  'startedBlock',
] as const;
const APPEND = `
  INSERT INTO ${table} (${namesOf(privateExtension, FIELDS)})
  SELECT *, $1::bigint FROM unnest($2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[],
                                   $8::boolean[], $9::boolean[])
      ON CONFLICT DO NOTHING`;

/** Adds the extensions that began with the block; known ones stay as they are. */
export async function appendExtensions(
  statements: Statements,
  blockNumber: number,
  rows: readonly StoredExtension[],
): Promise<void> {
  await statements.query({
    name: 'append-extensions',
    text: APPEND,
    values: [
      blockNumber,
      rows.map(({ management }) => asBuffer(addressToBytes(management))),
      rows.map(({ contract }) => asBuffer(addressToBytes(contract))),
      rows.map(({ initiator }) => asBuffer(addressToBytes(initiator))),
      rows.map(({ recipient }) => asBuffer(addressToBytes(recipient))),
      rows.map(({ recipientKey }) => Buffer.from(recipientKey, 'base64')),
      rows.map(({ creation }) => asBuffer(creation)),
      rows.map(({ isInitiator }) => isInitiator),
      rows.map(({ isRecipient }) => isRecipient),
    ],
  });
}

/** Notes the block in which active extensions were approved or have finished, unless one is noted. */
export async function markExtensions(
  statements: Statements,
  blockNumber: number,
  { field, management }: Mark,
): Promise<void> {
  await statements.query({
    name: `mark-extensions-${columns[field]}`,
    text: `UPDATE ${table} SET ${columns[field]} = $1
            WHERE ${columns.management} = ANY($2::bytea[]) AND ${columns[field]} IS NULL
              AND ${columns.finishedBlock} IS NULL`,
    values: [blockNumber, management.map((address) => asBuffer(addressToBytes(address)))],
  });
}

interface Mark {
  readonly field: 'approvedBlock' | 'finishedBlock';
  readonly management: readonly Address[];
}
