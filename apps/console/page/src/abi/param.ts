import * as z from 'zod';
import type { AbiParameter } from 'viem';
import { AbiFault } from './abi-fault.js';

/** Levels of tuples in tuples. */
const MAX_DEPTH = 16;
/** Parameters of one entry, with the components of its tuples. */
const MAX_PARAMS = 500;
/** Characters of a parameter's name, which is a stranger's text. */
const MAX_NAME = 200;
/** Array suffixes of one type. */
const MAX_DIMENSIONS = 8;

/** A parameter, result or component of a tuple. */
export interface Param {
  /** Empty where it has none. A stranger's text. */
  readonly name: string;
  /** Without array suffixes: `uint256`, `bytes`, `tuple`. */
  readonly base: string;
  /** Lengths of array suffixes from left to right; null is any length. */
  readonly dimensions: readonly (number | null)[];
  /** Components of a tuple. */
  readonly components: readonly Param[];
}

/** A type that the ABI specification does not have, such as those of libraries. */
export class UnknownType extends AbiFault {}

const schema = z.object({
  name: z.string().max(MAX_NAME).optional(),
  type: z.string().max(200),
  components: z.array(z.unknown()).max(MAX_PARAMS).optional(),
});

/**
 * Parameters of an entry of an ABI.
 * @throws AbiFault with the field; UnknownType for one whose type cannot be encoded
 */
export function parseParams(values: readonly unknown[], field: string): readonly Param[] {
  const left = { params: MAX_PARAMS };
  return values.map((value, at) => parseParam(value, `${field}.${at}`, 0, left));
}

function parseParam(value: unknown, field: string, depth: number, left: { params: number }): Param {
  left.params -= 1;
  if (left.params < 0) throw new AbiFault(field, `the entry has more than ${MAX_PARAMS} parameters`);
  if (depth > MAX_DEPTH) throw new AbiFault(field, `more than ${MAX_DEPTH} tuples in one another`);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw AbiFault.of(parsed.error, field);
  const { name = '', type, components } = parsed.data;
  const { base, dimensions } = parseType(type, `${field}.type`);
  if ((base === 'tuple') !== (components !== undefined))
    throw new AbiFault(`${field}.components`, 'a tuple has them, and no other type');
  return {
    name,
    base,
    dimensions,
    components: (components ?? []).map((one, at) =>
      parseParam(one, `${field}.components.${at}`, depth + 1, left),
    ),
  };
}

const TYPE = /^([a-z]+[0-9]{0,3})((?:\[[0-9]{0,6}\])*)$/;

function parseType(type: string, field: string): Pick<Param, 'base' | 'dimensions'> {
  const [, base = '', suffix = ''] = TYPE.exec(type) ?? [];
  if (!isBase(base)) throw new UnknownType(field, `${type.slice(0, 60)} is no type of the ABI`);
  // `[2][]` is cut between brackets; nothing remains after the last one.
  const lengths = suffix.split(']').slice(0, -1);
  const dimensions = lengths.map((length) => (length === '[' ? null : Number(length.slice(1))));
  if (dimensions.length > MAX_DIMENSIONS)
    throw new AbiFault(field, `more than ${MAX_DIMENSIONS} array suffixes`);
  return { base, dimensions };
}

function isBase(base: string): boolean {
  if (/^(?:address|bool|string|bytes|function|tuple)$/.test(base)) return true;
  const [, kind, digits = ''] = /^(u?int|bytes)([1-9][0-9]*)$/.exec(base) ?? [];
  const size = Number(digits);
  return kind === 'bytes' ? size <= 32 : kind !== undefined && size % 8 === 0 && size <= 256;
}

/** The type as signatures have it: a tuple as its components in brackets. */
export function canonicalType({ base, dimensions, components }: Param): string {
  const inner = base === 'tuple' ? canonicalTypes(components) : base;
  return inner + dimensions.map((length) => `[${length ?? ''}]`).join('');
}

export const canonicalTypes = (params: readonly Param[]): string => `(${params.map(canonicalType).join()})`;

/** The type as people read it, with the names of a tuple's components. */
export function readableType({ base, dimensions, components }: Param): string {
  const inner = base === 'tuple' ? `(${components.map(readableParam).join(', ')})` : base;
  return inner + dimensions.map((length) => `[${length ?? ''}]`).join('');
}

export const readableParam = (param: Param): string =>
  param.name === '' ? readableType(param) : `${readableType(param)} ${param.name}`;

/** As the encoder takes it. Names are left out, so that values are given by position: two names may be equal, or `__proto__`. */
export function encoderParam({ base, dimensions, components }: Param): AbiParameter {
  const type = (base === 'function' ? 'bytes24' : base) + dimensions.map((n) => `[${n ?? ''}]`).join('');
  return base === 'tuple' ? { type, components: components.map(encoderParam) } : { type };
}

/** An element of an array; the param must have a dimension. */
export const elementOf = (param: Param): Param => ({
  ...param,
  name: '',
  dimensions: param.dimensions.slice(0, -1),
});
