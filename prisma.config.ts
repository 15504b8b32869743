import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'prisma/config';

/*
 * Configures Prisma's command line for the schema of one service: `TETRAD_SERVICE=wallet npx prisma validate`. Commands that
 * ask a database take it from DATABASE_URL. See "Rows" and "Migrations" in CONTRIBUTING.md.
 */
const schemas = join(import.meta.dirname, 'prisma');
const services = readdirSync(schemas, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const service = process.env['TETRAD_SERVICE'] ?? '';
if (!services.includes(service))
  throw new Error(`TETRAD_SERVICE: names the service whose schema is meant, one of ${services.join(', ')}`);

// Prisma would download its engine at the first command. This one is the same, as WebAssembly from its package.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= join(import.meta.dirname, 'libs/schema/engine/schema-engine');

export default defineConfig({
  schema: join(schemas, service),
  migrations: { path: join(schemas, service, 'migrations') },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
