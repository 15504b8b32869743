export {
  DatabaseUnavailableError,
  connectDatabase,
  createDatabase,
  dropDatabase,
  isDatabaseUnavailable,
  withDatabaseName,
  type Database,
  type DatabaseOptions,
} from './database.js';
export {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres.js';
export { SchemaMismatchError, checkSchema, listMigrations, migrateDeploy, migrateNew } from './migrations.js';
