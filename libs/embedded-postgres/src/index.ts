export { clusterFolder, type ClusterFolder } from './cluster.js';
export { EmbeddedPostgresError } from './embedded-postgres-error.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres.js';
export type { ServerEvents } from './server-events.js';
export { findRunningPostgres } from './running-server.js';
export { THROW_AWAY_SETTINGS, startTemporaryPostgres } from './temporary-postgres.js';
