import { columnsOf, type SqlRow } from '@tetrad/db';
import { submission } from '../generated/tables.js';
import type { Statements } from '../statements.js';
import { SUBMISSION_FIELDS, parseSubmission, type StoredSubmission } from '../submission-rows.js';

const { batchHeight: heights, submittedAt, transactionHash } = submission.columns;
const LIST = `
  SELECT ${columnsOf(submission, SUBMISSION_FIELDS)} FROM ${submission.table}
   WHERE ${heights} = $1 ORDER BY ${submittedAt}, ${transactionHash}`;

/** All submissions of a batch, oldest first. */
export async function listSubmissions(from: Statements, batchHeight: number): Promise<StoredSubmission[]> {
  const { rows } = await from.query<SqlRow<typeof submission, (typeof SUBMISSION_FIELDS)[number]>>({
    name: 'submissions',
    text: LIST,
    values: [batchHeight],
  });
  return rows.map(parseSubmission);
}
