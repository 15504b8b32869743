import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { answerCall, type EngineCall } from './engine-methods.js';
import { openEngine, panicMessage } from './open-engine.js';

/*
 * Prisma's schema engine as its command line starts it (7.10.0), from the WebAssembly package in place of the program that it
 * would download; `prisma.config.ts` names it.
 *
 *   --version
 *   --datasource JSON cli can-connect-to-database    exit code 0, or an error on standard error
 *   --datasource JSON --datamodels FILE …            answers JSON-RPC 2.0, a line each, until standard input ends
 */

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'boolean', default: false },
    datasource: { type: 'string', default: '{}' },
    datamodels: { type: 'string', multiple: true, default: [] },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
  },
});
const { url = '' } = JSON.parse(options.datasource) as { readonly url?: string };

/** Codes of Prisma by those of PostgreSQL: a refused password, a refused role, no such database. */
const CONNECTION_CODES: Readonly<Record<string, string>> = {
  '28P01': 'P1000',
  '28000': 'P1010',
  '3D000': 'P1003',
};
const UNREACHABLE = 'P1001';

/** A line of the log, which the command line reads for the reason of an exit. */
function say(level: 'INFO' | 'ERROR', fields: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ level, target: 'schema_engine::logger', fields })}\n`);
}

async function connect(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    const { code = '', message } = error as Error & { readonly code?: string };
    say('ERROR', { error_code: CONNECTION_CODES[code] ?? UNREACHABLE, message: message || code });
    process.exitCode = 1;
  }
}

async function serve(): Promise<void> {
  let engine: Promise<SchemaEngine> | undefined;
  const open = () => (engine ??= readModels().then((files) => openEngine(url, files)));
  for await (const line of createInterface({ input: process.stdin })) {
    const call = JSON.parse(line) as Partial<EngineCall>;
    // The answer to what we had printed.
    if (call.method === undefined) continue;
    for (const message of await answerCall(call as EngineCall, open))
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

function readModels() {
  return Promise.all(
    options.datamodels.map(async (path) => ({ path, content: await readFile(path, 'utf8') })),
  );
}

/** The version of the package ends with the revision of the engine. */
async function revision(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  const { dependencies } = JSON.parse(manifest) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return dependencies['@prisma/schema-engine-wasm']?.split('.').at(-1) ?? 'unknown';
}

async function run(): Promise<void> {
  if (options.version) process.stdout.write(`schema-engine-cli ${await revision()}\n`);
  else if (words.join(' ') === 'cli can-connect-to-database') await connect();
  else await serve();
}

process.on('uncaughtException', (error) => {
  say('ERROR', { message: panicMessage() || error.message });
  process.exit(1);
});
// The command line does not read the first line.
say('INFO', { message: 'starting' });
await run();
// The engine's timers would keep the process alive.
process.stdout.write('', () => process.exit());
