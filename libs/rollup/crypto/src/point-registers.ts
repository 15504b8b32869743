import { FIELD_MODULUS, GROUP_ORDER } from './field.js';
import { fieldEngine } from './wasm/engine.js';
import { AFFINE_BYTES, ELEMENT_BYTES, POINT_BYTES } from './wasm/layout.js';

interface Affine {
  readonly x: bigint;
  readonly y: bigint;
}

const REGISTERS = 8;
const WINDOW_BITS = 5;
/** Odd multiples 1 to 15 of a point, and their negatives. */
const MULTIPLES = 1 << (WINDOW_BITS - 2);
const TEMPORARIES = 6;

/** Points in the memory of the engine, and what is computed of them there. */
export class PointRegisters {
  private readonly engine = fieldEngine();
  private readonly points = this.engine.allocate(3 * REGISTERS);
  private readonly multiples = this.engine.allocate(3 * 2 * MULTIPLES);
  private readonly double = this.engine.allocate(3);
  private readonly affine = this.engine.allocate(2);
  private readonly temporaries = this.engine.allocate(TEMPORARIES);
  private readonly powers = this.engine.allocate(16);
  private readonly products = this.engine.allocate(REGISTERS);
  private readonly zero = this.engine.allocate(1);

  at(index: number): number {
    if (index >= REGISTERS) throw new RangeError(`there are ${REGISTERS} registers`);
    return this.points + POINT_BYTES * index;
  }

  /** Writes an affine point with Z = 1. */
  write(register: number, { x, y }: Affine): void {
    this.engine.write(register, x);
    this.engine.write(register + ELEMENT_BYTES, y);
    this.engine.write(register + 2 * ELEMENT_BYTES, 1n);
  }

  /**
   * result = scalar · point, by a window of 5 bits in non-adjacent form.
   * @param point - on the curve
   * @param scalar - 1 to n − 1
   */
  multiply(result: number, point: Affine, scalar: bigint): void {
    this.prepareMultiples(point);
    const { run } = this.engine;
    // The formula of additions cannot double. Up to half the order it never has to; n − 14 would be (n − 7) − 7.
    const isHigh = 2n * scalar > GROUP_ORDER;
    const sign = isHigh ? -1 : 1;
    let isEmpty = true;
    for (const digit of nonAdjacentForm(isHigh ? GROUP_ORDER - scalar : scalar)) {
      if (!isEmpty) run.double(result, result);
      if (digit === 0) continue;
      if (isEmpty) this.engine.copy(result, this.multiple(sign * digit), 3);
      else run.addPoint(result, result, this.multiple(sign * digit));
      isEmpty = false;
    }
  }

  /** sum += point, which are neither equal nor opposite. */
  add(sum: number, point: number): void {
    this.engine.run.addPoint(sum, sum, point);
  }

  /** Whether total = part + point; of the first two any coordinates. */
  isSum(total: number, part: number, point: Affine): boolean {
    const { run } = this.engine;
    this.writeAffine(point);
    run.addAffine(this.double, part, this.affine);
    const z = this.double + 2 * ELEMENT_BYTES;
    // The formula fails when the two points are equal or opposite, which honest signatures never produce.
    if (this.engine.read(z) === 0n) return false;
    return this.isSame(total, this.double);
  }

  /** Affine coordinates of the first so many registers. */
  readAll(count: number): Affine[] {
    const { run } = this.engine;
    const z = (index: number) => this.at(index) + 2 * ELEMENT_BYTES;
    const product = (index: number) => this.products + ELEMENT_BYTES * index;
    for (let index = 0; index < count; index += 1) {
      if (index === 0) this.engine.copy(product(0), z(0), 1);
      else run.multiply(product(index), product(index - 1), z(index));
    }
    const [inverse, own] = [this.temporary(0), this.temporary(1)];
    this.invert(inverse, product(count - 1));
    const points: Affine[] = [];
    for (let index = count - 1; index >= 0; index -= 1) {
      if (index === 0) this.engine.copy(own, inverse, 1);
      else run.multiply(own, inverse, product(index - 1));
      run.multiply(inverse, inverse, z(index));
      points.unshift(this.readWith(this.at(index), own));
    }
    return points;
  }

  /** result = element^(p − 2), four bits of the exponent at a time. */
  invert(result: number, element: number): void {
    const { run } = this.engine;
    const power = (exponent: number) => this.powers + ELEMENT_BYTES * exponent;
    this.engine.copy(power(1), element, 1);
    for (let exponent = 2; exponent < 16; exponent += 1)
      run.multiply(power(exponent), power(exponent - 1), power(1));
    let isFirst = true;
    for (const character of (FIELD_MODULUS - 2n).toString(16)) {
      const digit = Number.parseInt(character, 16);
      if (isFirst) this.engine.copy(result, power(digit), 1);
      else {
        for (let bit = 0; bit < 4; bit += 1) run.square(result, result);
        if (digit !== 0) run.multiply(result, result, power(digit));
      }
      isFirst = false;
    }
  }

  private readWith(point: number, inverse: number): Affine {
    const { run } = this.engine;
    const [square, cube, x, y] = [this.temporary(2), this.temporary(3), this.temporary(4), this.temporary(5)];
    run.square(square, inverse);
    run.multiply(cube, square, inverse);
    run.multiply(x, point, square);
    run.multiply(y, point + ELEMENT_BYTES, cube);
    return { x: this.engine.read(x), y: this.engine.read(y) };
  }

  /** x₁·z₂² = x₂·z₁² and y₁·z₂³ = y₂·z₁³ */
  private isSame(one: number, other: number): boolean {
    const { run } = this.engine;
    const z = 2 * ELEMENT_BYTES;
    const [power, left, right, otherPower] = [0, 1, 2, 3].map((index) => this.temporary(index)) as [
      number,
      number,
      number,
      number,
    ];
    const differ = (coordinate: number) => {
      run.multiply(left, one + coordinate, otherPower);
      run.multiply(right, other + coordinate, power);
      run.subtract(left, left, right);
      return this.engine.read(left) !== 0n;
    };
    run.square(power, one + z);
    run.square(otherPower, other + z);
    if (differ(0)) return false;
    run.multiply(power, power, one + z);
    run.multiply(otherPower, otherPower, other + z);
    return !differ(ELEMENT_BYTES);
  }

  private prepareMultiples(point: Affine): void {
    const { run } = this.engine;
    const y = ELEMENT_BYTES;
    this.write(this.multiple(1), point);
    run.double(this.double, this.multiple(1));
    for (let digit = 3; digit < 2 * MULTIPLES; digit += 2) {
      run.addPoint(this.multiple(digit), this.multiple(digit - 2), this.double);
    }
    for (let digit = 1; digit < 2 * MULTIPLES; digit += 2) {
      this.engine.copy(this.multiple(-digit), this.multiple(digit), 3);
      run.subtract(this.multiple(-digit) + y, this.zero, this.multiple(digit) + y);
    }
  }

  private multiple(digit: number): number {
    const index = (Math.abs(digit) - 1) / 2 + (digit < 0 ? MULTIPLES : 0);
    return this.multiples + POINT_BYTES * index;
  }

  private writeAffine({ x, y }: Affine): void {
    this.engine.write(this.affine, x);
    this.engine.write(this.affine + AFFINE_BYTES / 2, y);
  }

  private temporary(index: number): number {
    return this.temporaries + ELEMENT_BYTES * index;
  }
}

/** Digits, highest first: zero or odd, below 2^(WINDOW_BITS − 1) in size, sum of digit · 2^place. */
function nonAdjacentForm(scalar: bigint): number[] {
  const digits: number[] = [];
  const bits = scalar.toString(2);
  let carry = 0;
  for (let place = 0; place < bits.length || carry !== 0;) {
    const bit = (bitAt(bits, place) + carry) & 1;
    if (bit === 0) {
      carry = bitAt(bits, place) + carry > 1 ? 1 : 0;
      digits.push(0);
      place += 1;
      continue;
    }
    let value = carry;
    for (let offset = 0; offset < WINDOW_BITS; offset += 1) value += bitAt(bits, place + offset) << offset;
    carry = value >= 1 << (WINDOW_BITS - 1) ? 1 : 0;
    digits.push(carry === 1 ? value - (1 << WINDOW_BITS) : value);
    for (let offset = 1; offset < WINDOW_BITS; offset += 1) digits.push(0);
    place += WINDOW_BITS;
  }
  return digits.reverse();
}

function bitAt(bits: string, place: number): number {
  return place < bits.length && bits.charCodeAt(bits.length - 1 - place) === 49 ? 1 : 0;
}
