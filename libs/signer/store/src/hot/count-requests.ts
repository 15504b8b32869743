import { columnsOf, qualified, type SqlRow } from '@tetrad/db/client';
import type pg from 'pg';
import { rateWindow } from '../generated/tables.js';

/** What a bucket has counted in the present minute. */
export type CountedBucket = SqlRow<typeof rateWindow, 'bucket' | 'count'>;

const { table, columns } = rateWindow;
const COUNT = `
  INSERT INTO ${table} (${columns.bucket}, ${columns.minute}, ${columns.count})
  SELECT bucket, floor(extract(epoch FROM now()) / 60)::bigint, wanted
    FROM unnest($1::bytea[], $2::int[]) AS asked (bucket, wanted)
  ON CONFLICT (${columns.bucket}, ${columns.minute}) DO UPDATE
     SET ${columns.count} = ${qualified(rateWindow).columns.count} + excluded.${columns.count}
  RETURNING ${columnsOf(rateWindow, ['bucket', 'count'])}`;

/**
 * Counts requests in the present minute.
 * @param wanted - requests by bucket, in one order everywhere
 */
export async function countRequests(
  pool: pg.Pool,
  wanted: readonly (readonly [bucket: Buffer, count: number])[],
): Promise<readonly CountedBucket[]> {
  const values = [wanted.map(([bucket]) => bucket), wanted.map(([, count]) => count)];
  return (await pool.query<CountedBucket>({ name: 'count-requests', text: COUNT, values })).rows;
}
