import { z } from 'zod';
import { writeJson } from './json-text.js';

/** Returns what must be awaited before the next piece of work; undefined when it may begin at once. */
export type GiveWay = () => Promise<void> | undefined;

/** Lists of more elements are long. */
const FEW = 64;
/** Levels that are searched for long lists. */
const LEVELS = 5;

/** Whether a value has a list or an object of many elements: then it is handled in pieces. Cost: a few visits otherwise */
export function isLong(value: unknown, levels = LEVELS): boolean {
  if (levels === 0 || typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length > FEW || value.some((one) => isLong(one, levels - 1));
  if (!isPlain(value)) return false;
  let count = 0;
  for (const name in value) if (++count > FEW || isLong(value[name], levels - 1)) return true;
  return false;
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * As `z.encode`, list by list, giving way in between.
 * @throws ZodError when the schema refuses the value
 */
export async function encodeInPieces(schema: z.ZodType, value: unknown, giveWay: GiveWay): Promise<unknown> {
  const known = unwrap(schema, value);
  if (hasChecks(known) || !isLong(value)) return z.encode(schema, value as never);
  if (known instanceof z.ZodArray && Array.isArray(value))
    return encodeList(known.element as z.ZodType, value, giveWay);
  if (known instanceof z.ZodRecord && isPlain(value as object))
    return encodeRecord(known, value as Readonly<Record<string, unknown>>, giveWay);
  if (known instanceof z.ZodObject && isPlain(value as object))
    return encodeMembers(known, value as Readonly<Record<string, unknown>>, giveWay);
  return z.encode(schema, value as never);
}

async function encodeList(
  element: z.ZodType,
  values: readonly unknown[],
  giveWay: GiveWay,
): Promise<unknown[]> {
  const encoded: unknown[] = [];
  for (const value of values) {
    if (encoded.length % FEW === 0) await giveWay();
    encoded.push(
      isLong(value) ? await encodeInPieces(element, value, giveWay) : z.encode(element, value as never),
    );
  }
  return encoded;
}

async function encodeRecord(
  schema: z.ZodRecord,
  value: Readonly<Record<string, unknown>>,
  giveWay: GiveWay,
): Promise<Record<string, unknown>> {
  const encoded: Record<string, unknown> = {};
  for (const piece of piecesOf(Object.entries(value))) {
    await giveWay();
    Object.assign(encoded, z.encode(schema, Object.fromEntries(piece) as never));
  }
  return encoded;
}

function* piecesOf<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += FEW) yield values.slice(from, from + FEW);
}

async function encodeMembers(
  { shape, _zod }: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  giveWay: GiveWay,
): Promise<Record<string, unknown>> {
  const encoded: Record<string, unknown> = _zod.def.catchall === undefined ? {} : { ...value };
  for (const [name, member] of Object.entries(shape) as [string, z.ZodType][]) {
    const one = await encodeInPieces(member, value[name], giveWay);
    if (one !== undefined || Object.hasOwn(value, name)) encoded[name] = one;
  }
  return encoded;
}

/** The schema behind optional ones and the like, and of several for lists or objects the one for this value. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return unwrap(schema.unwrap() as z.ZodType, value);
  if (!(schema instanceof z.ZodUnion) || typeof value !== 'object' || value === null) return schema;
  const kind = Array.isArray(value) ? z.ZodArray : z.ZodObject;
  const options = (schema.options as readonly z.ZodType[])
    .map((option) => unwrap(option, value))
    .filter((option) => option instanceof kind);
  if (options.length === 0) return schema;
  const sample = sampleOf(value);
  return options.find((option) => z.safeEncode(option, sample as never).success) ?? schema;
}

/** The value with the first element of each list alone: it shows which schema the value has. */
function sampleOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(sampleOf);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sampleOf(member)]));
}

function hasChecks(schema: z.ZodType): boolean {
  return (schema._zod.def.checks?.length ?? 0) > 0;
}

/** Bounds and pace of one text. */
export interface WritingLimits {
  /** Characters of the text. */
  readonly most: number;
  readonly giveWay: GiveWay;
  /** The error for a longer text. */
  readonly tooLong: () => Error;
}

/** As `writeJson`, list by list, giving way in between; what would be too long is not written to its end. */
export async function writeJsonInPieces(value: unknown, limits: WritingLimits): Promise<string> {
  const text = new LongText(limits);
  await text.add(value);
  return text.parts.join('');
}

class LongText {
  readonly parts: string[] = [];
  private length = 0;

  constructor(private readonly limits: WritingLimits) {}

  async add(value: unknown): Promise<void> {
    if (!isLong(value)) this.write(writeJson(value ?? null));
    else if (Array.isArray(value)) await this.addList(value);
    else await this.addMembers(value as Readonly<Record<string, unknown>>);
  }

  private async addList(values: readonly unknown[]): Promise<void> {
    let separator = '[';
    for (const piece of piecesOf(values)) {
      await this.limits.giveWay();
      this.write(separator);
      separator = ',';
      if (!piece.some((one) => isLong(one))) this.write(writeJson(piece).slice(1, -1));
      else await this.addSeparated(piece);
    }
    this.write(values.length === 0 ? '[]' : ']');
  }

  private async addSeparated(values: readonly unknown[]): Promise<void> {
    for (const [index, value] of values.entries()) {
      if (index > 0) this.write(',');
      await this.add(value);
    }
  }

  private async addMembers(value: Readonly<Record<string, unknown>>): Promise<void> {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    for (const [index, [name, member]] of members.entries()) {
      if (index % FEW === FEW - 1) await this.limits.giveWay();
      this.write(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
      await this.add(member);
    }
    this.write(members.length === 0 ? '{}' : '}');
  }

  private write(text: string): void {
    this.length += text.length;
    if (this.length > this.limits.most) throw this.limits.tooLong();
    this.parts.push(text);
  }
}
