import { columnsOf, qualified, type SqlRow } from '@tetrad/db';
import { isAnswered } from '../answered-request.js';
import { accountVersion, requestedOperation } from '../generated/tables.js';
import { parseHolding } from '../proved-holdings.js';
import type { OpenRequest, RequestPlace } from '../requests.js';
import type { Statements } from '../statements.js';
import type { WrittenOperation } from '../written-operation.js';

const FIELDS = ['blockNumber', 'logIndex', 'operation', 'proved'] as const;
const requested = qualified(requestedOperation, 'requested');
const version = qualified(accountVersion).columns;
const { columns } = requested;
const OPEN = `
  SELECT ${columnsOf(requested, FIELDS)}
    FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY AS ordered (block, log, place)
    JOIN ${requestedOperation.table} AS requested
      ON ${columns.blockNumber} = ordered.block AND ${columns.logIndex} = ordered.log
   CROSS JOIN LATERAL (
         SELECT ${version.nonce} AS nonce, ${version.batchHeight} AS height FROM ${accountVersion.table}
          WHERE ${version.accountId} = ${columns.accountId}
          ORDER BY ${version.batchHeight} DESC LIMIT 1) AS latest
   WHERE CASE WHEN latest.nonce IS NULL
              THEN NOT ${isAnswered({ request: columns, version: { nonce: 'latest.nonce', height: 'latest.height' } })}
              ELSE latest.nonce = ${columns.nonce} - 1 END
   ORDER BY place LIMIT $3`;

/** A request with its operation as it is stored. */
export type RequestToTake = Omit<OpenRequest, 'stored' | 'isNew'> & { readonly operation: WrittenOperation };

/**
 * Requests whose operation is the next of its account. Of an account that cannot be read these are requests that no
 * batch answers, also none that the chain does not have yet: two of them may be of one nonce. One whose account was
 * credited since is among them, and fails.
 *
 * @param places - of the requests, in order
 */
export async function openRequested(
  statements: Statements,
  places: readonly RequestPlace[],
  limit: number,
): Promise<RequestToTake[]> {
  const { rows } = await statements.query<SqlRow<typeof requestedOperation, (typeof FIELDS)[number]>>({
    name: 'open-requests',
    text: OPEN,
    values: [places.map(({ blockNumber }) => blockNumber), places.map(({ logIndex }) => logIndex), limit],
  });
  return rows.map(({ blockNumber, logIndex, proved, operation: asked }) => ({
    place: { blockNumber, logIndex },
    proved: parseHolding(proved),
    operation: asked as unknown as WrittenOperation,
  }));
}
