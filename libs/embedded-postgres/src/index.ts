export { clusterFolder, type ClusterFolder } from './cluster.js';
export { EmbeddedPostgresError } from './embedded-postgres-error.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type ServerEvents,
} from './embedded-postgres.js';
export { findRunningPostgres } from './running-server.js';
export { THROW_AWAY_SETTINGS, startTemporaryPostgres } from './temporary-postgres.js';
