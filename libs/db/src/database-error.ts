import type { SchemaMismatchError } from './check-schema.js';
import type { DatabaseUnavailableError } from './database-unavailable.js';
import type { MigrationFailedError } from './migrate-deploy.js';
import type { TransactionPoolingError } from './refuse-transaction-pooling.js';
import type { MissingRightError } from './rights.js';

/** An error of a database, with the case as `code`. */
export type DatabaseError =
  | DatabaseUnavailableError
  | MigrationFailedError
  | MissingRightError
  | SchemaMismatchError
  | TransactionPoolingError;
