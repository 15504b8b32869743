import type { Database } from '@tetrad/db';
import { z } from 'zod';

/** A node of the output of EXPLAIN (FORMAT JSON), as far as it shows how rows are found. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'Index Cond'?: string | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    'Index Cond': z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) })]);

/** How a plan finds rows of a table. */
export interface TableScan {
  readonly table: string;
  readonly index: string | undefined;
  /** The condition of an index lookup; undefined for a scan of a whole table or index. */
  readonly condition: string | undefined;
}

/** How a statement finds the rows that it reads, by the plan that serves all its values. */
export async function scansOf({ pool }: Database, text: string): Promise<readonly TableScan[]> {
  const { rows } = await pool.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  return scansBelow(explained.parse(rows)[0]['QUERY PLAN'][0].Plan);
}

function scansBelow(node: PlanNode): TableScan[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: plans = [] } = node;
  const below = plans.flatMap(scansBelow);
  if (table === undefined || !type.endsWith('Scan')) return below;
  // Of a bitmap the node below says what is looked up.
  const lookups = [node, ...plans.filter((one) => one['Node Type'] === 'Bitmap Index Scan')];
  const { 'Index Name': index, 'Index Cond': condition } =
    lookups.find((one) => one['Index Name'] !== undefined) ?? node;
  return [{ table, index, condition }, ...below];
}
