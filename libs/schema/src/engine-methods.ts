import type { SchemaEngine } from '@prisma/schema-engine-wasm';

/** Methods of the engine that Prisma's command line calls by the names that they have here. */
const METHODS = [
  'applyMigrations',
  'createMigration',
  'dbExecute',
  'devDiagnostic',
  'diagnoseMigrationHistory',
  'diff',
  'ensureConnectionValidity',
  'evaluateDataLoss',
  'introspect',
  'markMigrationApplied',
  'markMigrationRolledBack',
  'reset',
  'schemaPush',
] as const;

/** A request of the command line. */
export interface EngineCall {
  readonly id: number;
  readonly method: string;
  readonly params?: unknown;
}

/** What the process sends: the answer to a request, or text that the command line is to print. */
export type EngineMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: EngineFault }
  | { readonly id: number; readonly method: 'print'; readonly params: { readonly content: string } };

interface EngineFault {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly is_panic: boolean;
    readonly message: string;
    readonly error_code: string | null;
    readonly meta: null;
  };
}

/** The code of errors that the user can mend. */
const KNOWN_FAULT = 4466;

/**
 * Answers a request of Prisma's command line.
 *
 * @param open - the engine; opened by the first request
 * @returns what is sent, in this order; never rejects
 */
export async function answerCall(
  { id, method, params }: EngineCall,
  open: () => Promise<SchemaEngine>,
): Promise<EngineMessage[]> {
  try {
    const result = await callEngine(await open(), method, params);
    return [...printed(method, result), { id, result: result ?? null }];
  } catch (error) {
    return [{ id, error: faultOf(error) }];
  }
}

function callEngine(engine: SchemaEngine, method: string, params: unknown): Promise<unknown> {
  if (method === 'getDatabaseVersion') return engine.version(null);
  const name = METHODS.find((one) => one === method);
  if (name === undefined) throw new Error(`the schema engine has no method ${method}`);
  const call = engine[name] as (params: unknown) => Promise<unknown>;
  return call.call(engine, params);
}

/** The differences between schemas are printed, and not read from the result. */
function printed(method: string, result: unknown): EngineMessage[] {
  if (method !== 'diff') return [];
  const { stdout } = result as { readonly stdout?: string | null };
  return typeof stdout === 'string' ? [{ id: 0, method: 'print', params: { content: stdout } }] : [];
}

function faultOf(error: unknown): EngineFault {
  const { message, code } = error as Partial<Error> & { readonly code?: unknown };
  const text = message ?? String(error);
  const errorCode = typeof code === 'string' ? code : null;
  return {
    code: KNOWN_FAULT,
    message: text,
    data: { is_panic: false, message: text, error_code: errorCode, meta: null },
  };
}
