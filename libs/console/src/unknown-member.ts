import { isObject } from '@tetrad/rpc';
import { z } from 'zod';

/** The parts of JSON Schema that say which members an object has. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/**
 * The path of a member that the shape of a parameter does not have; undefined when it has all of them. Services ignore such
 * members, so that a person would confirm what has no effect.
 * @param value - one that the shape admits
 * @param name - of the parameter
 */
export function unknownMember(shape: z.ZodType, value: unknown, name: string): string | undefined {
  return find(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Schema, value, name);
}

function find(schema: Schema, value: unknown, path: string): string | undefined {
  const branches = schema.anyOf ?? [schema];
  if (Array.isArray(value)) {
    const items = branches.find((branch) => branch.items !== undefined)?.items ?? {};
    return firstOf(value.map((one, index) => () => find(items, one, `${path}[${index}]`)));
  }
  if (!isObject(value)) return undefined;
  const properties = branches.find((branch) => branch.properties !== undefined)?.properties ?? {};
  return firstOf(
    Object.entries(value).map(([key, member]) => () => {
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return known === undefined ? `${path}.${key}` : find(known, member, `${path}.${key}`);
    }),
  );
}

function firstOf(searches: readonly (() => string | undefined)[]): string | undefined {
  for (const search of searches) {
    const found = search();
    if (found !== undefined) return found;
  }
  return undefined;
}
