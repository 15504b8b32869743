export { backupDatabase, type BackupPlan } from './backup-database.js';
export type { BackupTable } from './backup-table.js';
export { readManifest, type Manifest } from './manifest.js';
export { restoreDatabase } from './restore-database.js';
export { DRAFT_ENDING, writeFolder } from './write-backup.js';
