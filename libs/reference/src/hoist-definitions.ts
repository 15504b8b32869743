/** The path of shared schemas in an OpenRPC document. */
const TARGET = '#/components/schemas/';

interface Hoisted {
  readonly schema: unknown;
  readonly definitions: Readonly<Record<string, unknown>>;
}

/**
 * Recursive schemas carry their parts under a local `$defs`, and refer to them from the root of the schema. Inside
 * a larger document that root is another one, so the parts move to its shared schemas.
 * @param name - prefix that keeps parts of different schemas apart
 */
export function hoistDefinitions(schema: unknown, name: string): Hoisted {
  if (typeof schema !== 'object' || schema === null || !('$defs' in schema))
    return { schema, definitions: {} };
  const { $defs, ...rest } = schema as { $defs: Record<string, unknown> };
  const entries = Object.entries($defs).map(([key, part]) => [`${name}${key}`, retarget(part, name)]);
  return {
    schema: retarget(rest, name),
    definitions: Object.fromEntries(entries) as Record<string, unknown>,
  };
}

/** The same schema with its local references pointing to the shared schemas. */
function retarget(schema: unknown, name: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => retarget(part, name));
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]) => {
    const local = key === '$ref' && typeof value === 'string' && value.startsWith('#/$defs/');
    return [key, local ? value.replace('#/$defs/', `${TARGET}${name}`) : retarget(value, name)];
  });
  return Object.fromEntries(members);
}

interface Described {
  readonly name: string;
  readonly result: { readonly schema: unknown };
}

interface Document {
  readonly methods: readonly Described[];
}

/** The document with the parts of every recursive result among its shared schemas. */
export function withSharedSchemas(document: Document): Record<string, unknown> {
  const shared: Record<string, unknown> = {};
  const methods = document.methods.map((method) => {
    const { schema, definitions } = hoistDefinitions(method.result.schema, `${method.name}.`);
    Object.assign(shared, definitions);
    return { ...method, result: { ...method.result, schema } };
  });
  return { ...document, methods, components: { schemas: shared } };
}
