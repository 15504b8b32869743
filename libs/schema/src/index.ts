export { generateClient, generateClients } from './generate-clients.js';
export { migrateNew } from './migrate-new.js';
export { migrateStatus } from './migrate-status.js';
export { readSchemaFiles, type SchemaFile } from './schema-files.js';
