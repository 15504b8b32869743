export { asBuffer, asBufferOrNull } from './as-buffer.js';
export { CommitGroup, type CommitGroupBounds } from './commit-group.js';
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
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded/embedded-postgres.js';
export { findRunningPostgres } from './embedded/running-server.js';
export { EmbeddedPostgresError } from './embedded/embedded-postgres-error.js';
export { LookupGroup, type LookupGroupOptions } from './lookup-group.js';
export { generateClient, generateClients } from './generate-clients.js';
export { SchemaMismatchError, checkSchema, listMigrations, migrateDeploy, migrateNew } from './migrations.js';
export {
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceDatabaseOptions,
} from './open-service-database.js';
export { refuseWithoutDatabase } from './refuse-without-database.js';
export { listPrismaFolders, prismaFolder } from './prisma-folder.js';
export { THROW_AWAY_SETTINGS, startTemporaryPostgres } from './temporary-postgres.js';
