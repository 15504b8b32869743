import { sequenceHead } from '../generated/tables.js';
import type { SequenceHead } from '../sequence-head.js';
import type { Statements } from '../statements.js';

const { table, columns } = sequenceHead;
const WRITE = `
  UPDATE ${table} SET ${columns.version} = $1, ${columns.nextAccountId} = $2, ${columns.openHeight} = $3,
         ${columns.openIndex} = $4, ${columns.nextInbound} = $5, ${columns.assembledHeight} = $6
   WHERE ${columns.id} = 1`;

/**
 * Stores the head with the version after that of `head`.
 * @returns the stored one
 */
export async function writeHead(statements: Statements, head: SequenceHead): Promise<SequenceHead> {
  const version = head.version + 1;
  await statements.query({
    name: 'write-head',
    text: WRITE,
    values: [
      version,
      head.nextAccountId,
      head.openHeight,
      head.openIndex,
      head.nextInbound,
      head.assembledHeight,
    ],
  });
  return { ...head, version };
}
