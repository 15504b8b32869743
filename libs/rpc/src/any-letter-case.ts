import { z } from 'zod';
import type { MethodDefinition, MethodTable, Tolerance } from './define-method.js';
import { isObject } from './envelope.js';
import { MemberNames } from './member-names.js';
import { FramingError } from './rpc-error.js';

/** The member names of a value and of what is in it. */
interface NameTree {
  readonly names?: MemberNames;
  readonly members?: ReadonlyMap<string, NameTree>;
  /** Of every element of a list, and of every member of a record. */
  readonly others?: NameTree | undefined;
}

/**
 * The methods with member names of their parameters accepted in any letter case, at every depth: clients were written for
 * servers in Go, which read JSON so. A method without such parameters is unchanged.
 *
 * @param methods definitions by name
 */
export function acceptAnyLetterCase<Table extends MethodTable>(methods: Table): Table {
  const accepting = Object.entries(methods).map(([method, definition]) => {
    const tolerance = toleranceOf(definition);
    // First, since the others know members by their names.
    const accepts = tolerance === undefined ? definition.accepts : [tolerance, ...definition.accepts];
    return [method, { ...definition, accepts }] as const;
  });
  return Object.fromEntries(accepting) as unknown as Table;
}

function toleranceOf({ params }: MethodDefinition): Tolerance | undefined {
  const trees = params.map(({ schema }) => treeOf(schema));
  if (trees.every((tree) => tree === undefined)) return undefined;
  return {
    what: 'member names in any letter case, each once',
    source: 'encoding/json of Go, with which the servers that clients were written for read requests',
    normalize: (values) => values.map((value, at) => respell(value, trees[at], params[at]?.name ?? 'params')),
  };
}

function respell(value: unknown, tree: NameTree | undefined, path: string): unknown {
  if (tree === undefined || typeof value !== 'object' || value === null) return value;
  const { names, members, others } = tree;
  if (Array.isArray(value)) {
    if (others === undefined) return value;
    return value.map((one: unknown, at) => respell(one, others, `${path}[${at}]`));
  }
  if (!isObject(value)) return value;
  const spelled =
    names?.respell(value, ({ member, name }) => refused(`${path}.${member.slice(0, 80)}`, name)) ?? value;
  return respellMembers(spelled, (member) => members?.get(member) ?? others, path);
}

/** Copies the object only when something in it changes: most requests are spelled as documented. */
function respellMembers(
  object: Readonly<Record<string, unknown>>,
  treeAt: (member: string) => NameTree | undefined,
  path: string,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | undefined;
  for (const member of Object.keys(object)) {
    const tree = treeAt(member);
    if (tree === undefined) continue;
    const value = respell(object[member], tree, `${path}.${member}`);
    if (value !== object[member]) (changed ??= { ...object })[member] = value;
  }
  return changed ?? object;
}

function refused(field: string, name: string): FramingError {
  const problem = `is "${name}" to readers that fold case: must be given once, and spelled so`;
  return new FramingError('INVALID_PARAMS', `invalid params: ${field}: ${problem}`, {
    reason: 'INVALID_PARAMS',
    field,
  });
}

/** @returns undefined when no object with known members is in the value */
function treeOf(schema: unknown): NameTree | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return treeOf(schema.unwrap());
  // A codec, whose input is what is on the wire.
  if (schema instanceof z.ZodPipe) return treeOf(schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.map(treeOf).reduce(merge, undefined);
  if (schema instanceof z.ZodArray) return holding(treeOf(schema.element));
  if (schema instanceof z.ZodRecord) return holding(treeOf(schema.valueType));
  return schema instanceof z.ZodObject ? ofObject(schema) : undefined;
}

function holding(others: NameTree | undefined): NameTree | undefined {
  return others === undefined ? undefined : { others };
}

function ofObject({ shape }: z.ZodObject): NameTree {
  const members = new Map<string, NameTree>();
  for (const [name, schema] of Object.entries(shape)) {
    const tree = treeOf(schema);
    if (tree !== undefined) members.set(name, tree);
  }
  return { names: new MemberNames(Object.keys(shape)), members };
}

/** Of a value that has one of two forms: the names of both. */
function merge(one: NameTree | undefined, other: NameTree | undefined): NameTree | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const members = new Map(one.members);
  for (const [name, tree] of other.members ?? []) members.set(name, merge(members.get(name), tree) ?? tree);
  const names = new MemberNames([...(one.names?.known ?? []), ...(other.names?.known ?? [])]);
  return { names, members, others: merge(one.others, other.others) };
}
