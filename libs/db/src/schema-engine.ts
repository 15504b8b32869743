import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaContainer, SchemaEngine } from '@prisma/schema-engine-wasm';
import { readCatalogue } from './catalogue-adapter.js';
import { openPool } from './open-pool.js';

/** The part of the global that Node has and the ES library types leave out. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

interface SchemaEngineModule {
  readonly SchemaEngine: {
    new: (options: object, log: () => void, adapter: object) => Promise<SchemaEngine>;
  };
  __wbg_set_wasm(exports: object): void;
}

/** Where the engine leaves the message of a panic; it expects the object to be there. */
const panics = { message: '', set_message: (message: string) => void (panics.message = message) };

let engineModule: Promise<SchemaEngineModule> | undefined;

/** Prisma's schema engine from its WebAssembly package; Node cannot import the .wasm file by itself (docs/adr/0004). */
function loadEngine(): Promise<SchemaEngineModule> {
  engineModule ??= (async () => {
    const require = createRequire(import.meta.url);
    const glue = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const bindings =
      (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as SchemaEngineModule;
    const wasm = await readFile(join(glue, '..', 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': imports(bindings) });
    bindings.__wbg_set_wasm(instance.exports);
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics });
    (instance.exports['__wbindgen_start'] as () => void)();
    return bindings;
  })();
  return engineModule;
}

/** The engine sets a timer of ten seconds for its lock and never clears it; it must not keep the process alive. */
function imports(bindings: object): object {
  const entries = Object.entries(bindings).map(([name, value]): [string, unknown] =>
    name.startsWith('__wbg_setTimeout_')
      ? [name, (task: () => void, delayMs: number) => setTimeout(task, delayMs).unref()]
      : [name, value],
  );
  return Object.fromEntries(entries);
}

/** Runs the work with an engine on the database, and closes its connections. */
export async function withSchemaEngine<T>(
  url: string,
  schema: SchemaContainer,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const { SchemaEngine } = await loadEngine();
  // The engine holds a lock of its session; ending the pool is what gives it back.
  const { pool, end } = openPool({ connectionString: url });
  const adapter = bindMigrationAwareSqlAdapterFactory(readCatalogue(new PrismaPg(pool)));
  const engine = await SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => undefined,
    adapter,
  );
  try {
    return await work(engine);
  } catch (error) {
    throw panics.message === '' ? error : new Error(`schema engine: ${panics.message}`, { cause: error });
  } finally {
    engine.free();
    await end();
  }
}
