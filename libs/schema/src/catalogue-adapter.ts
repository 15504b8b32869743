import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQueryable,
} from '@prisma/driver-adapter-utils';
import { createDatabase, dropDatabase } from '@tetrad/db';
import pg from 'pg';

/** Suffix of the names of columns of type `"char"` between the wire and the result; no column has such a name. */
const CHAR_MARK = '\u0000char';

/**
 * The adapter of a database, extended for the schema engine:
 *
 * - to read PostgreSQL's catalogue: the engine asks for columns of the catalogue's one-byte type `"char"` as
 *   characters, and the adapter (7.10.0) refuses that type. So it gets the type text, and the result the original type;
 * - to run a migration: the adapter splits a script at every semicolon, which cuts functions in pieces. PostgreSQL
 *   splits it itself, and makes one transaction of it;
 * - to replay migrations: beside a URL the adapter ignores the name of the database that it made for that, and replays them
 *   in the one of the URL.
 */
export function catalogueAdapter(url: string): SqlMigrationAwareDriverAdapterFactory {
  const { provider, adapterName } = new PrismaPg(url);
  return {
    provider,
    adapterName,
    connect: () => connect(url),
    connectToShadowDb: () => connectToShadow(url),
  };
}

async function connect(url: string): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaPg(url).connect();
  adapter.underlyingDriver().on('connect', markCharColumns);
  return keepScriptsWhole(restoreCharColumns(adapter));
}

/** A new database of the same server, which is dropped with the adapter. */
async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  const adapter = await connect(await createDatabase(url, name));
  const dispose = adapter.dispose.bind(adapter);
  adapter.dispose = async () => {
    await dispose();
    await dropDatabase(url, name);
  };
  return adapter;
}

function keepScriptsWhole<Adapter extends SqlQueryable & ScriptRunner>(adapter: Adapter): Adapter {
  adapter.executeScript = async (script) => {
    await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
  };
  return adapter;
}

/** The part of the adapter that runs scripts. */
interface ScriptRunner {
  executeScript(script: string): Promise<void>;
}

interface RowDescription {
  readonly fields: { name: string; dataTypeID: number }[];
}

function markCharColumns(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  // Ahead of the client's own listener, so that it sees the other type.
  connection.prependListener('rowDescription', ({ fields }: RowDescription) => {
    for (const field of fields) {
      if (field.dataTypeID !== pg.types.builtins.CHAR) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      field.name += CHAR_MARK;
    }
  });
}

function restoreCharColumns<Adapter extends SqlQueryable>(adapter: Adapter): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (query) => {
    const { columnNames, columnTypes, rows } = await queryRaw(query);
    return {
      rows,
      columnNames: columnNames.map((name) => name.replace(CHAR_MARK, '')),
      columnTypes: columnTypes.map((type, index) =>
        columnNames[index]?.endsWith(CHAR_MARK) === true ? ColumnTypeEnum.Character : type,
      ),
    };
  };
  return adapter;
}
