import { DatabaseUnavailableError, UNAVAILABLE } from '../database-unavailable.js';

interface Operation {
  readonly args: unknown;
  query(args: unknown): Promise<unknown>;
}

/** The part of a generated client that its type hides behind generated ones. */
interface Extensible {
  $extends(extension: { query: { $allOperations(operation: Operation): Promise<unknown> } }): unknown;
}

/**
 * The client, whose calls fail as statements do when the connection is lost: it wraps every error that has a code in one of its
 * own.
 *
 * @param client - a generated one
 * @returns the same client in type; its calls throw DatabaseUnavailableError
 */
export function failingAsStatements<Client extends object>(client: Client): Client {
  return (client as unknown as Extensible).$extends({
    query: {
      async $allOperations({ args, query }) {
        try {
          return await query(args);
        } catch (error) {
          throw isUnavailable(error) ? new DatabaseUnavailableError(textOf(error)) : error;
        }
      },
    },
  }) as Client;
}

function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === 'DATABASE_UNAVAILABLE';
}

/** Without the name of the call, which the client writes before it. */
function textOf({ message }: Error): string {
  const start = message.indexOf(UNAVAILABLE);
  return start === -1 ? message : message.slice(start);
}
