import type { SchemaMismatchError } from './check-schema.js';
import type { DatabaseUnavailableError } from './database.js';
import type { MigrationFailedError } from './migrate-deploy.js';

/** What is wrong with a database, told apart by `code`. */
export type DatabaseError = DatabaseUnavailableError | MigrationFailedError | SchemaMismatchError;
