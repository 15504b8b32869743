import { FIELD_MODULUS, GROUP_ORDER, decodeWord, encodeWords, isFieldElement, modulo } from './field.js';
import { FixedBaseTable } from './fixed-base-table.js';
import { PointRegisters } from './point-registers.js';

/** A point of Grumpkin, y² = x³ − 17 over the scalar field of BN254, that is not infinity. The group has prime order. */
export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** x‖y, 32 bytes each, big-endian. */
export const POINT_BYTES = 64;

/** Source: barretenberg/cpp/src/barretenberg/ecc/curves/grumpkin/grumpkin.hpp */
export const GENERATOR: Point = { x: 1n, y: 0x2cf135e7506a45d632d270d45f1181294833fc48d823f272cn };

export function isOnCurve({ x, y }: Point): boolean {
  return isFieldElement(x) && isFieldElement(y) && modulo(y * y - x * x * x + 17n, FIELD_MODULUS) === 0n;
}

export function encodePoint({ x, y }: Point): Uint8Array {
  return encodeWords([x, y]);
}

/** @returns undefined when the 64 bytes at the offset are not a point of the curve; infinity has no encoding */
export function decodePoint(bytes: Uint8Array, offset = 0): Point | undefined {
  if (bytes.length < offset + POINT_BYTES) return undefined;
  const point = { x: decodeWord(bytes, offset), y: decodeWord(bytes, offset + POINT_BYTES / 2) };
  return isOnCurve(point) ? point : undefined;
}

/** What a secret key, a randomization factor or an s must be. */
export function isScalar(value: bigint): boolean {
  return value > 0n && value < GROUP_ORDER;
}

/**
 * scalar · G.
 * @param scalar - a scalar of 1 to n − 1. Time depends on the scalar.
 */
export function multiplyGenerator(scalar: bigint): Point {
  const [point] = multiplyAll([{ base: generatorTable(), scalar }]);
  return point as Point;
}

export function multiplyPoint(point: Point, scalar: bigint): Point {
  const [product] = multiplyAll([{ base: point, scalar }]);
  return product as Point;
}

/** One product: of a point, or faster of a table that was made for one. */
export interface Product {
  readonly base: Point | FixedBaseTable;
  /** 1 to n − 1. */
  readonly scalar: bigint;
}

/** Products together, which costs one inversion instead of one for each. */
export function multiplyAll(products: readonly Product[]): Point[] {
  const registers = pointRegisters();
  products.forEach(({ base, scalar }, index) => {
    if (!isScalar(scalar)) throw new RangeError('a scalar is from 1 to the order of the group less one');
    if (base instanceof FixedBaseTable) base.multiply(registers.at(index), scalar);
    else registers.multiply(registers.at(index), base, scalar);
  });
  return registers.readAll(products.length);
}

/**
 * The sum of products of points.
 *
 * @param products - one or more; points by which their maker hits the sums that the formulas do not have give a wrong sum
 * @returns the sum, which must not be infinity
 */
export function sumOfProducts(
  products: readonly { readonly point: Point; readonly scalar: bigint }[],
): Point {
  const registers = pointRegisters();
  products.forEach(({ point, scalar }, index) => {
    if (!isScalar(scalar)) throw new RangeError('a scalar is from 1 to the order of the group less one');
    registers.multiply(registers.at(index === 0 ? 0 : 1), point, scalar);
    if (index > 0) registers.add(registers.at(0), registers.at(1));
  });
  const [sum] = registers.readAll(1);
  return sum as Point;
}

/**
 * Whether s · G = R + e · P.
 * @param options - s and e below the order of the group
 */
export function isSumOfProducts({ s, R, e, P }: { s: bigint; R: Point; e: bigint; P: Point }): boolean {
  // Neither can come out of a hash or an honest signer; the formulas have no infinity.
  if (s === 0n || e === 0n) return false;
  const registers = pointRegisters();
  generatorTable().multiply(registers.at(0), s);
  registers.multiply(registers.at(1), P, e);
  return registers.isSum(registers.at(0), registers.at(1), R);
}

let generator: FixedBaseTable | undefined;
const generatorTable = () => (generator ??= new FixedBaseTable(GENERATOR));

let registers: PointRegisters | undefined;
const pointRegisters = () => (registers ??= new PointRegisters());
