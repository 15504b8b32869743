import { TetradError } from '@tetrad/types';

/** The data do not fit their types, or the types are none that are taken. */
export class TypedDataError extends TetradError {
  override readonly name = 'TypedDataError';
  override readonly code = 'INVALID_TYPED_DATA';
}

/** Name of a struct type → its members. */
export type StructTypes = Readonly<
  Record<string, readonly { readonly name: string; readonly type: string }[]>
>;

/**
 * Bounds on types. The library that hashes walks every path through them, and writes the text of all types below each
 * of them; what wallets sign has a tenth of this.
 */
const MAX_TYPES = 100;
const MAX_MEMBERS = 1_000;
const MAX_TYPE_TEXT = 16_384;
const MAX_NESTING = 32;
const MAX_PATHS = 10_000;

/** Values in a message, arrays and structs included: the library takes up to a tenth of a millisecond for one. */
const MAX_VALUES = 4_096;

/** Characters of an integer as text: 2^256 has 78 decimal digits. Reading takes the square of their number. */
const MAX_INTEGER_TEXT = 80;

/**
 * The types that the primary one is made of.
 *
 * Cost: linear in the types
 *
 * @throws TypedDataError when it has no definition, a type refers to itself, or a bound on types, members, text,
 *   nesting or paths is exceeded
 */
export function typesOf(primaryType: string, types: StructTypes): StructTypes {
  assertSize(types);
  const measured = new Map<string, Measure>();
  measure(primaryType, { types, measured, open: new Set() });
  if (measured.size === 0) throw new TypedDataError(`unknown type ${short(primaryType)}`);
  return Object.fromEntries([...measured.keys()].map((name) => [name, types[name] ?? []]));
}

/**
 * Checks a value against its type, so that only its own members are hashed: an object inherits members that seem to be
 * present, and nested empty arrays would be hashed again and again.
 *
 * Cost: linear in the value
 *
 * @throws TypedDataError with the place of a missing member or one of another type; when there are too many values
 */
export function assertFits(value: unknown, type: string, types: StructTypes, place: string): void {
  new ValueWalk(types).visit(value, type, place);
}

class ValueWalk {
  private values = 0;

  constructor(private readonly types: StructTypes) {}

  visit(value: unknown, type: string, place: string): void {
    this.values += 1;
    if (this.values > MAX_VALUES) throw new TypedDataError(`more than ${MAX_VALUES} values`);
    const array = arrayOf(type);
    if (array !== undefined) {
      if (!Array.isArray(value)) throw new TypedDataError(`${short(place)}: must be an array`);
      value.forEach((element, index) => this.visit(element, array.element, `${place}[${index}]`));
    } else if (Object.hasOwn(this.types, type)) {
      this.visitStruct(value, this.types[type] ?? [], place);
    } else if (isLongInteger(value, type)) {
      const rule = `must be an integer of at most ${MAX_INTEGER_TEXT} characters`;
      throw new TypedDataError(`${short(place)}: ${rule}`);
    }
  }

  private visitStruct(value: unknown, members: StructTypes[string], place: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new TypedDataError(`${short(place)}: must be an object`);
    }
    for (const { name, type } of members) {
      if (!Object.hasOwn(value, name)) throw new TypedDataError(`${short(`${place}.${name}`)}: is missing`);
      this.visit((value as Readonly<Record<string, unknown>>)[name], type, `${place}.${name}`);
    }
  }
}

function isLongInteger(value: unknown, type: string): boolean {
  return /^u?int/.test(type) && typeof value === 'string' && value.length > MAX_INTEGER_TEXT;
}

function assertSize(types: StructTypes): void {
  const entries = Object.entries(types);
  if (entries.length > MAX_TYPES) throw new TypedDataError(`more than ${MAX_TYPES} types`);
  let [members, text] = [0, 0];
  for (const [name, fields] of entries) {
    members += fields.length;
    text += name.length;
    if (members > MAX_MEMBERS) throw new TypedDataError(`more than ${MAX_MEMBERS} members of types`);
    for (const field of fields) text += field.name.length + field.type.length;
    if (text > MAX_TYPE_TEXT) throw new TypedDataError(`types of more than ${MAX_TYPE_TEXT} characters`);
  }
}

/** Of a type: how deep it nests, and on how many ways the library walks through it. */
interface Measure {
  readonly nesting: number;
  readonly paths: number;
}

const LEAF: Measure = { nesting: 0, paths: 0 };

function measure(
  name: string,
  walk: {
    readonly types: StructTypes;
    readonly measured: Map<string, Measure>;
    /** Types in which this one is. */
    readonly open: Set<string>;
  },
): Measure {
  const { types, measured, open } = walk;
  const known = measured.get(name);
  if (known !== undefined) return known;
  if (!Object.hasOwn(types, name)) return LEAF;
  if (open.has(name)) throw new TypedDataError(`the type ${short(name)} refers to itself`);
  open.add(name);
  let [nesting, paths] = [0, 1];
  for (const child of new Set((types[name] ?? []).map(({ type }) => baseOf(type)))) {
    const inner = measure(child, walk);
    nesting = Math.max(nesting, inner.nesting);
    if (nesting === MAX_NESTING) throw new TypedDataError(`types nest deeper than ${MAX_NESTING} levels`);
    paths += inner.paths;
    if (paths > MAX_PATHS)
      throw new TypedDataError(`types refer to each other in more than ${MAX_PATHS} ways`);
  }
  open.delete(name);
  const result = { nesting: nesting + 1, paths };
  measured.set(name, result);
  return result;
}

/** The type without its array suffixes. Cost: linear */
function baseOf(type: string): string {
  let end = type.length;
  for (let open = suffixStart(type, end); open !== undefined; open = suffixStart(type, end)) end = open;
  return type.slice(0, end);
}

/** The element of an array type; undefined for another type. */
function arrayOf(type: string): { readonly element: string } | undefined {
  const open = suffixStart(type, type.length);
  return open === undefined ? undefined : { element: type.slice(0, open) };
}

/** Where the last array suffix, `[]` or `[3]`, before the end begins. */
function suffixStart(type: string, end: number): number | undefined {
  if (type[end - 1] !== ']') return undefined;
  let at = end - 2;
  while (at >= 0 && isDigit(type.charCodeAt(at))) at--;
  return type[at] === '[' ? at : undefined;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function short(text: string): string {
  return text.slice(0, 80);
}
