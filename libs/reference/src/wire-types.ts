import { addressCodec, hashCodec } from '@tetrad/rpc';
import type { z } from 'zod';

/** The parts of a definition of Zod that a type is written from. */
interface Definition {
  readonly type: string;
  readonly in?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly pattern?: RegExp;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: RegExp } } }[];
}

/**
 * The TypeScript type of a value's JSON, before a codec decodes it.
 *
 * @throws Error for a kind of schema that no method has had so far
 */
export function wireType(schema: z.ZodType): string {
  if (schema === addressCodec) return 'Address';
  if (schema === hashCodec) return 'Hash';
  // A whole number beyond those that every reader of JSON keeps exact.
  if (schema.meta()?.type === 'integer') return 'number | bigint';
  const definition = schema._zod.def as unknown as Definition;
  const write = WRITERS[definition.type];
  if (write === undefined) throw new Error(`no type is known for a schema of kind ${definition.type}`);
  return write(definition);
}

const WRITERS: Readonly<Record<string, (definition: Definition) => string>> = {
  any: () => 'unknown',
  array: ({ element }) => `readonly (${wireType(element as z.ZodType)})[]`,
  boolean: () => 'boolean',
  // Departures that a service tolerates, such as numbers beyond JSON's: the client sends none.
  custom: () => 'never',
  enum: ({ entries = {} }) => Object.values(entries).map(literal).join(' | '),
  literal: ({ values = [] }) => values.map(literal).join(' | '),
  null: () => 'null',
  nullable: ({ innerType }) => `${wireType(innerType as z.ZodType)} | null`,
  number: () => 'number',
  object: objectType,
  optional: ({ innerType }) => `${wireType(innerType as z.ZodType)} | undefined`,
  pipe: (definition) => wireType(definition.in as z.ZodType),
  readonly: ({ innerType }) => wireType(innerType as z.ZodType),
  record: ({ valueType }) => `Readonly<Record<string, ${wireType(valueType as z.ZodType)}>>`,
  string: (definition) => (isHex(definition) ? 'Hex' : 'string'),
  union: ({ options = [] }) =>
    [...new Set(options.filter((option) => !isCustom(option)).map(wireType))].join(' | '),
  unknown: () => 'unknown',
};

const isCustom = (schema: z.ZodType) => schema._zod.def.type === 'custom';
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

function objectType({ shape = {} }: Definition): string {
  const members = Object.entries(shape).map(([name, member]) => {
    const isOptional = member._zod.def.type === 'optional';
    return `readonly ${name}${isOptional ? '?' : ''}: ${wireType(member)};`;
  });
  return `{ ${members.join(' ')} }`;
}

/** Whether every text of the schema begins with 0x. */
function isHex({ checks = [], pattern }: Definition): boolean {
  const patterns = [pattern, ...checks.map(({ _zod }) => _zod.def.pattern)];
  return patterns.some((one) => one?.source.startsWith('^0x') === true);
}
