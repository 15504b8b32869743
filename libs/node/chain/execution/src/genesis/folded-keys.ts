import { GenesisError } from './genesis-error.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object whose name is equal but for case; the last one, as GoQuorum reads it. */
export function memberOf(object: JsonObject, name: string): unknown {
  const folded = name.toLowerCase();
  return Object.entries(object).findLast(([key]) => key.toLowerCase() === folded)?.[1];
}

/** Members under the spelling that this library knows, and the names of unknown members. */
export interface FoldedObject {
  readonly known: Record<string, unknown>;
  readonly unknown: readonly string[];
}

/**
 * An object read without regard to the case of its keys; members that are null are absent.
 * @param path - path of the object in the file, for messages
 * @throws GenesisError when two keys differ in case only: clients would differ in which of them they read
 */
export function foldKeys(object: JsonObject, names: readonly string[], path: string): FoldedObject {
  const byFolded = new Map(names.map((name) => [name.toLowerCase(), name]));
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  const seen = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) {
    const folded = key.toLowerCase();
    const twin = seen.get(folded);
    if (twin !== undefined) throw new GenesisError(`genesis ${path}${key}: duplicate key, see ${twin}`);
    seen.set(folded, key);
    const name = byFolded.get(folded);
    if (name === undefined) unknown.push(key);
    else if (value !== null) known[name] = value;
  }
  return { known, unknown };
}
