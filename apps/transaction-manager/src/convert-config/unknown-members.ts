import { z } from 'zod';

/**
 * The members of a value that its schema does not name, at every depth.
 *
 * @returns their paths, as `peer.0.weight`
 */
export function unknownMembers(value: unknown, schema: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unknownMembers(value, schema.unwrap(), path);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((one: unknown, index) => unknownMembers(one, schema.element, `${path}${index}.`));
  if (!(schema instanceof z.ZodObject) || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(schema.shape, name)
      ? unknownMembers(member, schema.shape[name], `${path}${name}.`)
      : [`${path}${name}`],
  );
}
