export type { DatabaseError } from './database-error.js';
export { byteaArray } from './bytea-array.js';
export { integerArray } from './integer-array.js';
export { asBuffer, asBufferOrNull } from './as-buffer.js';
export { clientBytes } from './client/client-bytes.js';
export { LateRows } from './client/late-rows.js';
export { columnsOf, namesOf, qualified, type SqlRow, type Table } from './client/table.js';
export { CommitGroup, type CommitGroupBounds } from './commit-group.js';
export { DatabaseUnavailableError, isDatabaseUnavailable } from './database-unavailable.js';
export { DatabaseUrl } from './database-url.js';
export {
  connectDatabase,
  createDatabase,
  dropDatabase,
  withDatabaseName,
  type Database,
  type DatabaseOptions,
} from './database.js';
export { databaseProblem, writeProblem } from './database-problem.js';
export { jobDatabaseUrl } from './job-database-url.js';
export { LookupGroup, type LookupGroupOptions } from './lookup-group.js';
export { SchemaMismatchError, checkSchema } from './check-schema.js';
export { MigrationFailedError, migrateDeploy } from './migrate-deploy.js';
export { listMigrations, migrationsFolder, readMigrations, type Migration } from './migration-files.js';
export {
  openServiceDatabase,
  type ServiceDatabase,
  type ServiceDatabaseOptions,
} from './open-service-database.js';
export { createOwnedDatabase } from './owned-database.js';
export { TransactionPoolingError } from './refuse-transaction-pooling.js';
export { MissingRightError, checkRights, grantRights } from './rights.js';
export { refuseWithoutDatabase } from './refuse-without-database.js';
export { listPrismaFolders, prismaFolder } from './prisma-folder.js';
export { backupDatabase, type BackupPlan } from './backup/backup-database.js';
export {
  BACKUP_EVENT_KINDS,
  readBackupEvents,
  recordBackupEvent,
  type BackupEventKind,
  type BackupEvents,
} from './backup/backup-events.js';
export type { BackupTable } from './backup/backup-table.js';
export { readManifest, type Manifest } from './backup/manifest.js';
export { restoreDatabase } from './backup/restore-database.js';
export { DRAFT_ENDING, writeFolder } from './backup/write-backup.js';
