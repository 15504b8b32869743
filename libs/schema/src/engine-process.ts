import { text } from 'node:stream/consumers';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { readCatalogue } from './catalogue-adapter.js';
import type { EngineRequest } from './engine-request.js';

/*
 * Prisma's schema engine as a process of its own: Node imports its WebAssembly module with a switch only, and its timers
 * would keep any other process alive. It answers one request, and ends.
 */

/** Where the engine leaves the message of a panic; it expects the object to be there. */
const panics = { message: '', set_message: (message: string) => void (panics.message = message) };
Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });

async function answer(request: EngineRequest): Promise<unknown> {
  const { SchemaEngine } = await import('@prisma/schema-engine-wasm');
  const pool = new pg.Pool({ connectionString: request.url });
  const adapter = bindMigrationAwareSqlAdapterFactory(readCatalogue(new PrismaPg(pool)));
  const datamodels = request.files.map(({ path, content }): [string, string] => [path, content]);
  const engine = await SchemaEngine.new({ datamodels }, () => undefined, adapter);
  return request.command === 'diff'
    ? engine.diff(request.params)
    : engine.diagnoseMigrationHistory(request.params);
}

try {
  const request = JSON.parse(await text(process.stdin)) as EngineRequest;
  process.stdout.write(JSON.stringify(await answer(request)), () => process.exit(0));
} catch (error) {
  const message = panics.message === '' ? (error as Error).message : panics.message;
  process.stderr.write(message, () => process.exit(1));
}
