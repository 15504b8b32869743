import pg from 'pg';
import type { RowsOf, ClientOptions, GeneratedClient } from './rows.js';
import { failingAsStatements } from './client-errors.js';
import { ServicePoolAdapter } from './service-pool-adapter.js';

/**
 * The calls of a generated client on one connection, for example in a transaction that statements have begun. They begin none
 * of their own.
 *
 * @param connection - it stays open
 * @param create - makes the generated client
 */
export function openRowsOn<Client extends GeneratedClient>(
  connection: Pick<pg.ClientBase, 'query'>,
  create: (options: ClientOptions) => Client,
): RowsOf<Client> {
  const adapter = new ServicePoolAdapter({ pool: poolOf(connection) });
  return failingAsStatements(create({ adapter, errorFormat: 'minimal' }));
}

/** A pool, as the adapter demands one, that has the connection and no others. */
function poolOf(connection: Pick<pg.ClientBase, 'query'>): pg.Pool {
  const refused = () => Promise.reject(new Error('the connection has a transaction already'));
  return Object.create(pg.Pool.prototype, {
    options: { value: {} },
    query: { value: connection.query.bind(connection) },
    connect: { value: refused },
  }) as pg.Pool;
}
