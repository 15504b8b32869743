import { encodeAbiParameters, isAddress } from 'viem/utils';
import { AbiFault } from './abi-fault.js';
import type { FunctionEntry, Hex } from './contract-abi.js';
import { elementOf, encoderParam, readableType, type Param } from './param.js';

/** Bytes of a call: what a request of the console may have, with room for the rest of it. */
const MAX_CALL_BYTES = 100_000;

/** What the encoder takes: by position in tuples. */
type Argument = string | bigint | boolean | readonly Argument[];

/**
 * The data of a call.
 * @param texts - of each input as the reader wrote it: values as they are, tuples and arrays as JSON
 * @throws AbiFault with the input
 */
export function encodeCall(entry: FunctionEntry, texts: readonly string[]): Hex {
  const data: Hex = `${entry.selector}${encodeArguments(entry.inputs, texts).slice(2)}`;
  if (data.length > 2 * MAX_CALL_BYTES) throw new AbiFault('', `more than ${MAX_CALL_BYTES} bytes`);
  return data;
}

/** @throws AbiFault with the input */
export function encodeArguments(params: readonly Param[], texts: readonly string[]): Hex {
  const values = params.map((param, at) => argumentOf(param, texts[at] ?? '', labelOf(param, at)));
  return encodeAbiParameters(params.map(encoderParam), values);
}

/** How an input is called in forms. */
export const labelOf = ({ name }: Param, at: number): string => (name === '' ? `input ${at + 1}` : name);

const isComposite = ({ base, dimensions }: Param) => base === 'tuple' || dimensions.length > 0;

function argumentOf(param: Param, text: string, field: string): Argument {
  if (!isComposite(param)) return leafOf(param, param.base === 'string' ? text : text.trim(), field);
  return fromJson(param, parseJson(text, field), field);
}

function parseJson(text: string, field: string): unknown {
  if (text.length > 2 * MAX_CALL_BYTES) throw new AbiFault(field, 'is too long');
  try {
    return JSON.parse(text);
  } catch {
    throw new AbiFault(field, 'must be JSON');
  }
}

function fromJson(param: Param, value: unknown, field: string): Argument {
  const { dimensions, base } = param;
  if (dimensions.length > 0) return arrayOf(param, value, field);
  if (base === 'tuple') return tupleOf(param, value, field);
  if (base === 'bool' && typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    // JSON.parse has rounded larger ones already.
    if (!Number.isSafeInteger(value)) throw new AbiFault(field, 'write this number in quotation marks');
    return leafOf(param, String(value), field);
  }
  if (typeof value !== 'string') throw new AbiFault(field, `must be a ${readableType(param)}`);
  return leafOf(param, value, field);
}

function arrayOf(param: Param, value: unknown, field: string): Argument {
  const length = param.dimensions.at(-1) ?? null;
  if (!Array.isArray(value)) throw new AbiFault(field, 'must be a JSON array');
  if (length !== null && value.length !== length)
    throw new AbiFault(field, `must have ${length} elements, not ${value.length}`);
  return value.map((one, at) => fromJson(elementOf(param), one, `${field}[${at}]`));
}

/** From an array by position, or from an object by the names of all components. */
function tupleOf({ components }: Param, value: unknown, field: string): Argument {
  if (Array.isArray(value)) {
    if (value.length !== components.length)
      throw new AbiFault(field, `must have ${components.length} elements, not ${value.length}`);
    return components.map((one, at) => fromJson(one, value[at], `${field}.${labelOf(one, at)}`));
  }
  if (typeof value !== 'object' || value === null)
    throw new AbiFault(field, 'must be a JSON array or an object');
  const names = components.map(({ name }) => name);
  if (names.includes('') || new Set(names).size < names.length)
    throw new AbiFault(field, 'must be a JSON array: its components have no names, or equal ones');
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new AbiFault(`${field}.${unknown}`, 'is no component');
  return components.map((one) => {
    if (!Object.hasOwn(value, one.name)) throw new AbiFault(`${field}.${one.name}`, 'is missing');
    return fromJson(one, (value as Record<string, unknown>)[one.name], `${field}.${one.name}`);
  });
}

function leafOf({ base }: Param, text: string, field: string): Argument {
  if (base === 'string') return text;
  if (base === 'bool') {
    if (text !== 'true' && text !== 'false') throw new AbiFault(field, 'must be true or false');
    return text === 'true';
  }
  if (base === 'address') return addressOf(text, field);
  if (base === 'function' || base.startsWith('bytes')) return bytesOf(base, text, field);
  return integerOf(base, text, field);
}

function addressOf(text: string, field: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new AbiFault(field, 'must be an address');
  if (text !== text.toLowerCase() && !isAddress(text))
    throw new AbiFault(field, 'has a wrong checksum: a letter or a digit of it may be mistyped');
  return text.toLowerCase();
}

function bytesOf(base: string, text: string, field: string): string {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) throw new AbiFault(field, 'must be hex of whole bytes');
  const size = base === 'function' ? 24 : Number(base.slice('bytes'.length));
  if (size > 0 && text.length !== 2 + 2 * size) throw new AbiFault(field, `must have ${size} bytes`);
  return text.toLowerCase();
}

function integerOf(base: string, text: string, field: string): bigint {
  if (!/^(?:-?[0-9]{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) throw new AbiFault(field, 'must be an integer');
  const value = BigInt(text);
  const bits = Number(base.replace(/^u?int/, ''));
  const fits = base.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  if (fits !== value) throw new AbiFault(field, `is beyond the range of ${base}`);
  return value;
}
