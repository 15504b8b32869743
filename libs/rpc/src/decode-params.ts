import type { z } from 'zod';
import { counterOf, type Counter } from './count-first.js';
import type { MethodDefinition } from './define-method.js';
import { FramingError } from './rpc-error.js';

/** Parameters as received: by position, by name, or none. */
export type WireParams = readonly unknown[] | Readonly<Record<string, unknown>> | undefined;

/** Counters of the parameters of a method, in order. */
export function countersOf({ params }: MethodDefinition): readonly Counter[] {
  return params.map(({ schema }) => counterOf(schema));
}

/**
 * The typed parameters of a call.
 * @param counters - of the definition, where it is used again and again
 * @throws FramingError INVALID_PARAMS whose message and data name the field
 */
export function decodeParams(
  definition: MethodDefinition,
  wire: WireParams,
  counters = countersOf(definition),
): unknown[] {
  const positional = toPositional(definition, wire);
  const normal = definition.accepts.reduce((params, { normalize }) => normalize(params), positional);
  const { params } = definition;
  if (normal.length > params.length) {
    throw invalid('params', `too many arguments, want at most ${params.length}`);
  }
  return params.map(({ name, schema, optional }, index) => {
    const value = normal[index];
    if (value === undefined || (value === null && optional)) {
      if (optional) return undefined;
      throw invalid(name, 'missing value for required argument');
    }
    const count = counters[index]?.(value);
    if (count !== undefined) throw invalid(fieldAt(name, count.path), count.message);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw issueError(name, parsed.error);
  });
}

/** Parameters by name are put into the documented order. */
function toPositional({ params }: MethodDefinition, wire: WireParams): readonly unknown[] {
  if (wire === undefined) return [];
  if (Array.isArray(wire)) return wire;
  const byName = renameAliases(params, wire as Readonly<Record<string, unknown>>);
  const names = params.map(({ name }) => name);
  // None of its keys names a parameter: it is the first parameter itself, which some clients send bare.
  if (names.length > 0 && !Object.keys(byName).some((key) => names.includes(key))) return [wire];
  const unknown = Object.keys(byName).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalid(unknown, 'no such parameter');
  const last = names.findLastIndex((name) => byName[name] !== undefined);
  return names.slice(0, last + 1).map((name) => byName[name]);
}

/** Puts the documented names in the place of others that clients use. */
function renameAliases(
  params: MethodDefinition['params'],
  wire: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let byName = wire;
  for (const { name, alsoNamed = [] } of params) {
    for (const alias of alsoNamed) {
      if (!Object.hasOwn(byName, alias)) continue;
      const { [alias]: value, ...others } = byName;
      if (Object.hasOwn(others, name)) throw invalid(alias, `another name of ${name}, which is given too`);
      byName = { ...others, [name]: value };
    }
  }
  return byName;
}

function issueError(parameter: string, error: z.ZodError): FramingError {
  const { path, message } = deepestIssue(error.issues as readonly Issue[]);
  return invalid(fieldAt(parameter, path), message);
}

function fieldAt(parameter: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    parameter,
  );
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly errors?: readonly (readonly Issue[])[];
  /** Of a member whose name is wrong, what is wrong with it. */
  readonly issues?: readonly Issue[];
}

/** Of the errors of a union's branches, the deepest one describes the caller's intent best. */
function deepestIssue(issues: readonly Issue[]): Issue {
  const [first] = issues as readonly [Issue, ...Issue[]];
  const branches = (first.errors ?? []).filter((branch) => branch.length > 0).map(deepestIssue);
  const best = branches.reduce<Issue | undefined>(
    (deepest, issue) => (deepest === undefined || issue.path.length > deepest.path.length ? issue : deepest),
    undefined,
  );
  const [ofName] = first.issues ?? [];
  if (best === undefined) return ofName === undefined ? first : { ...first, message: ofName.message };
  return { ...best, path: [...first.path, ...best.path] };
}

function invalid(field: string, problem: string): FramingError {
  return new FramingError('INVALID_PARAMS', `invalid params: ${field}: ${problem}`, {
    reason: 'INVALID_PARAMS',
    field,
  });
}
