import { z } from 'zod';

/** A list of a parameter that has too many elements. */
export interface CountProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The problem with the numbers of elements of a value, before any of them is read. */
export type Counter = (value: unknown) => CountProblem | undefined;

/** Values of one parameter, lists, objects and their elements included: reading them takes up to a microsecond each. */
const MAX_VALUES = 100_000;

const OWN_COUNTERS = new WeakMap<z.ZodType, (value: unknown) => string | undefined>();

/**
 * Has the elements of values counted before they are read.
 *
 * @param problem the message when there are too many; the value has any shape
 * @returns the schema itself
 */
export function countFirst<Schema extends z.ZodType>(
  schema: Schema,
  problem: (value: unknown) => string | undefined,
): Schema {
  OWN_COUNTERS.set(schema, problem);
  return schema;
}

/** Counts what a schema bounds, and everything. Cost: one visit of each object and list */
export function counterOf(schema: z.ZodType): Counter {
  const own = boundsOf(schema);
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const problem = own?.(value);
    if (problem !== undefined || countValues(value, MAX_VALUES) >= 0) return problem;
    return { path: [], message: `must have at most ${MAX_VALUES} values in all` };
  };
}

/** What is left of a number of values; negative as soon as there are more. */
function countValues(value: object, most: number): number {
  let left = most;
  for (const name in value) {
    const member = value[name as never] as unknown;
    left -= 1;
    if (typeof member === 'object' && member !== null) left = countValues(member, left);
    if (left < 0) return left;
  }
  return left;
}

/** The bounds of all lists of a schema; undefined without any. */
function boundsOf(schema: z.ZodType): Counter | undefined {
  const inner = innerBounds(schema);
  const problem = OWN_COUNTERS.get(schema);
  if (problem === undefined) return inner;
  return (value) => {
    const message = problem(value);
    return message === undefined ? inner?.(value) : { path: [], message };
  };
}

function innerBounds(schema: z.ZodType): Counter | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return boundsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return boundsOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) return listBounds(schema);
  if (schema instanceof z.ZodObject) return memberBounds(schema.shape as Readonly<Record<string, z.ZodType>>);
  return undefined;
}

function listBounds(schema: z.ZodArray): Counter | undefined {
  const inner = boundsOf(schema.element as z.ZodType);
  const most = (schema._zod.bag as { readonly maximum?: number }).maximum ?? Infinity;
  // With the message that the schema has for it.
  const lengths = new z.ZodArray({ ...schema._zod.def, element: z.unknown() } as never);
  if (inner === undefined && most === Infinity) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    if (value.length > most) {
      const message = lengths.safeParse(value.slice(0, most + 1)).error?.issues[0]?.message;
      return { path: [], message: message ?? `must have at most ${most} elements` };
    }
    return inner === undefined ? undefined : firstProblem(value.entries(), () => inner);
  };
}

function memberBounds(shape: Readonly<Record<string, z.ZodType>>): Counter | undefined {
  const counters = new Map<string, Counter>();
  for (const [name, member] of Object.entries(shape)) {
    const counter = boundsOf(member);
    if (counter !== undefined) counters.set(name, counter);
  }
  if (counters.size === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const members = [...counters.keys()].map((name) => [name, value[name as never]] as const);
    return firstProblem(members, (name) => counters.get(name as string));
  };
}

function firstProblem(
  entries: Iterable<readonly [PropertyKey, unknown]>,
  counterAt: (key: PropertyKey) => Counter | undefined,
): CountProblem | undefined {
  for (const [key, value] of entries) {
    const problem = counterAt(key)?.(value);
    if (problem !== undefined) return { ...problem, path: [key, ...problem.path] };
  }
  return undefined;
}
