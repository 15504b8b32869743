export { createTestDatabase, type TestDatabase } from './database.js';
export { testServerUrl } from './database-server.js';
