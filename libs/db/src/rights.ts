import { OperatorError } from '@tetrad/types';
import type pg from 'pg';
import { onConnection } from './database.js';

/** The role of the connection lacks a right that the service needs; names the object, the right and the command that grants it. */
export class MissingRightError extends OperatorError {
  override readonly name = 'MissingRightError';
  override readonly code = 'MISSING_RIGHT';
}

type Queryable = Pick<pg.ClientBase, 'query'>;

/** The table of migrations is only read by services. */
const MIGRATIONS = '_prisma_migrations';

/** A service reads and writes rows; it neither creates nor changes tables. */
const ROW_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

const MISSING = `
  SELECT format('%s on table %s', wanted, relname) AS right
    FROM pg_class CROSS JOIN unnest($1::text[]) WITH ORDINALITY AS wanted_right (wanted, place)
   WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
     AND (relname <> $2 OR wanted = 'SELECT') AND NOT has_table_privilege($3, pg_class.oid, wanted)
   UNION ALL
  SELECT format('USAGE on sequence %s', relname)
    FROM pg_class
   WHERE relnamespace = current_schema()::regnamespace AND 'INSERT' = ANY($1)
     AND CASE WHEN relkind = 'S' THEN NOT has_sequence_privilege($3, pg_class.oid, 'USAGE') ELSE false END
   ORDER BY 1`;

const MAX_NAMED = 5;

/**
 * Checks the rights of the connection's role on all tables and sequences, before a request fails for lack of one.
 * @param options.isReader - only reading is needed
 * @throws MissingRightError that names each right and its table
 */
export async function checkRights(client: Queryable, { isReader = false } = {}): Promise<void> {
  const role = await roleOf(client);
  const missing = await missingRights(client, role, isReader ? ['SELECT'] : ROW_RIGHTS);
  if (missing === undefined) return;
  throw new MissingRightError(
    `the database role ${role} lacks ${missing}; ` +
      'the owner of the tables grants them with "migrate deploy SERVICE --grant-to ROLE"',
  );
}

/** In words; undefined when the role lacks none. */
async function missingRights(
  client: Queryable,
  role: string,
  wanted: readonly string[],
): Promise<string | undefined> {
  const { rows } = await client.query<{ right: string }>(MISSING, [wanted, MIGRATIONS, role]);
  if (rows.length === 0) return undefined;
  const named = rows.slice(0, MAX_NAMED).map(({ right }) => right);
  return `${named.join(', ')}${rows.length > MAX_NAMED ? `, and ${rows.length - MAX_NAMED} more` : ''}`;
}

/** Says which right a role lacks when it may not even look into the schema. */
export async function checkSchemaUsage(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ schema: string | null; may: boolean }>(
    `SELECT nspname AS schema, has_schema_privilege(pg_namespace.oid, 'USAGE') AS may
       FROM pg_namespace WHERE nspname = 'public'`,
  );
  if (rows[0]?.may !== false) return;
  throw new MissingRightError(
    `the database role ${await roleOf(client)} lacks USAGE on schema public; ` +
      'the owner of the tables grants it with "migrate deploy SERVICE --grant-to ROLE"',
  );
}

async function roleOf(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ role: string }>('SELECT current_user AS role');
  return rows[0]?.role ?? '';
}

const MAX_ROLE_CHARACTERS = 63;

/**
 * Grants a role what a service needs on the tables that the role of the URL owns, and no more: connecting, and reading and
 * writing rows. Later migrations by the same owner grant the same for new tables.
 * @param options.createSchemas - also to create a schema of its own, for a service whose queue library keeps one
 * @throws OperatorError when the role does not exist; MissingRightError, or the database's error, when the owner may
 *   not grant
 */
export async function grantRights(
  url: string,
  role: string,
  { createSchemas = false }: { readonly createSchemas?: boolean } = {},
): Promise<void> {
  if (role === '' || Buffer.byteLength(role) > MAX_ROLE_CHARACTERS)
    throw new OperatorError(`--grant-to must name a role, of ${MAX_ROLE_CHARACTERS} bytes at most`);
  await onConnection(url, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rowCount === 0)
      throw new OperatorError(`--grant-to: the server has no role ${role}; create it first`);
    const { rows } = await client.query<{ database: string; schema: string }>(
      'SELECT current_database() AS database, current_schema() AS schema',
    );
    const [{ database, schema }] = rows as [{ database: string; schema: string }];
    const names = [role, database, schema].map((name) => client.escapeIdentifier(name));
    // Several statements sent as one are one transaction.
    await client.query(grantsTo(...(names as [string, string, string]), createSchemas).join(';\n'));
    // PostgreSQL only warns when a role that does not own an object grants a right on it.
    const missing = await missingRights(client, role, ROW_RIGHTS);
    if (missing !== undefined)
      throw new MissingRightError(
        `${await roleOf(client)} may not grant ${role} ${missing}; use the role that owns the tables`,
      );
  });
}

function grantsTo(role: string, database: string, schema: string, createSchemas: boolean): string[] {
  const rows = ROW_RIGHTS.join(', ');
  return [
    `GRANT CONNECT${createSchemas ? ', CREATE' : ''} ON DATABASE ${database} TO ${role}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `GRANT ${rows} ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${schema}.${MIGRATIONS} FROM ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${rows} ON TABLES TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
  ];
}
