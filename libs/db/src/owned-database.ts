import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { onConnection, withDatabaseName } from './database.js';

/** Two processes that create the same role at the same time would fail. */
const ROLE_LOCK = 7_370_105;

const OWNER_OF =
  'SELECT rolname AS owner FROM pg_database JOIN pg_roles ON pg_roles.oid = datdba WHERE datname = $1';

const OF_SERVICES = "nspname !~ '^(pg_|information_schema$)'";

/** Schemas, relations, types and functions that the role does not own. */
const FOREIGN_OBJECTS = `
  SELECT format('SCHEMA %I', nspname) AS object
    FROM pg_namespace
   WHERE ${OF_SERVICES} AND nspname <> 'public' AND pg_get_userbyid(nspowner) <> $1
  UNION ALL
  SELECT format('%s %I.%I', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
                nspname, relname)
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
   WHERE ${OF_SERVICES} AND relkind IN ('r', 'p', 'v', 'S') AND pg_get_userbyid(relowner) <> $1
     AND NOT EXISTS (SELECT FROM pg_depend WHERE pg_depend.objid = pg_class.oid AND deptype IN ('a', 'i')
                                             AND classid = 'pg_class'::regclass AND relkind = 'S')
  UNION ALL
  SELECT format('TYPE %I.%I', nspname, typname)
    FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace
   WHERE ${OF_SERVICES} AND typtype IN ('e', 'd') AND pg_get_userbyid(typowner) <> $1
  UNION ALL
  SELECT format('ROUTINE %I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(pg_proc.oid))
    FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
   WHERE ${OF_SERVICES} AND pg_get_userbyid(proowner) <> $1`;

/**
 * Creates a database with a role of the same name that owns it and has no other rights on the server, unless both exist; the
 * ownership of one from an earlier version, which belongs to the administrator, is transferred. A service is then not a superuser: an
 * exploited service cannot reach files, programs or the rows of other services.
 * @param adminUrl - of a superuser of our own server
 * @returns URL of the database for the role
 */
export async function createOwnedDatabase(adminUrl: string, name: string): Promise<string> {
  const url = ownedDatabaseUrl(adminUrl, name);
  const isForeign = await onConnection(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [ROLE_LOCK]);
    await ensureRole(client, name, new URL(url).password);
    const { rows } = await client.query<{ owner: string }>(OWNER_OF, [name]);
    if (rows[0] === undefined) {
      const database = client.escapeIdentifier(name);
      await client.query(`CREATE DATABASE ${database} OWNER ${database}`);
    }
    return rows[0] !== undefined && rows[0].owner !== name;
  });
  if (isForeign) await handOver(withDatabaseName(adminUrl, name), name);
  return url;
}

/** The URL that `createOwnedDatabase` returns. The password is derived from the administrator's, so that it need not be stored. */
function ownedDatabaseUrl(adminUrl: string, name: string): string {
  const url = new URL(withDatabaseName(adminUrl, name));
  const secret = decodeURIComponent(url.password);
  url.username = encodeURIComponent(name);
  url.password = createHmac('sha256', secret).update(`database role ${name}`).digest('hex');
  return url.href;
}

async function ensureRole(client: pg.Client, name: string, password: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount === 0)
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

/** The database itself last, so that an interrupted transfer is repeated. */
async function handOver(url: string, name: string): Promise<void> {
  await onConnection(url, async (client) => {
    const role = client.escapeIdentifier(name);
    await client.query('BEGIN');
    const { rows } = await client.query<{ object: string }>(FOREIGN_OBJECTS, [name]);
    for (const { object } of rows) await client.query(`ALTER ${object} OWNER TO ${role}`);
    await client.query(`ALTER DATABASE ${role} OWNER TO ${role}`);
    await client.query('COMMIT');
  });
}
