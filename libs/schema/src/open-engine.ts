import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import { catalogueAdapter } from './catalogue-adapter.js';
import type { SchemaFile } from './schema-files.js';

/** The schema of a database without tables: the engine needs one. */
const EMPTY: SchemaFile = {
  path: 'schema.prisma',
  content: 'datasource db {\n  provider = "postgresql"\n}\n',
};

/** Where the engine leaves the message of a panic; it expects the object to be there. */
const panics = { message: '', set_message: (message: string) => void (panics.message = message) };
Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });

/** The message of the engine's panic; empty when there was none. */
export function panicMessage(): string {
  return panics.message;
}

/**
 * Opens Prisma's schema engine. It needs a process of its own: Node.js imports its WebAssembly module with a switch only, and
 * its timers would keep any other process alive.
 *
 * @param url - of the database that it asks
 * @param files - of the schema; none where only the database is asked
 * @throws Error with the engine's message when the schema is not valid
 */
export async function openEngine(url: string, files: readonly SchemaFile[]): Promise<SchemaEngine> {
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm');
  const adapter = bindMigrationAwareSqlAdapterFactory(catalogueAdapter(url));
  const datamodels = (files.length === 0 ? [EMPTY] : files).map(({ path, content }): [string, string] => [
    path,
    content,
  ]);
  return SchemaEngine.new({ datamodels }, () => undefined, adapter);
}
