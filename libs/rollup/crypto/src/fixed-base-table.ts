import { PointRegisters } from './point-registers.js';
import { fieldEngine } from './wasm/engine.js';
import { AFFINE_BYTES, ELEMENT_BYTES, POINT_BYTES } from './wasm/layout.js';

const WINDOW_BITS = 8;
const WINDOWS = 256 / WINDOW_BITS;
const ENTRIES = (1 << WINDOW_BITS) - 1;

/**
 * Multiples of one point, d · 2^(8·window) for d of 1 to 255: a product is 32 additions instead of 254 doublings.
 * 653 kB and about 20 ms each, kept as long as the process lives; for the generator and the key of the operator.
 */
export class FixedBaseTable {
  private readonly engine = fieldEngine();
  private readonly table = this.engine.allocate(2 * WINDOWS * ENTRIES);

  constructor(readonly point: { readonly x: bigint; readonly y: bigint }) {
    this.fill();
  }

  /**
   * result = scalar · point.
   * @param result - address of a point
   * @param scalar - 1 to n − 1
   */
  multiply(result: number, scalar: bigint): void {
    const digits = scalar.toString(16).padStart(64, '0');
    let isEmpty = true;
    for (let window = 0; window < WINDOWS; window += 1) {
      const digit = Number.parseInt(digits.slice(62 - 2 * window, 64 - 2 * window), 16);
      if (digit === 0) continue;
      if (isEmpty) this.load(result, this.entry(window, digit));
      else this.engine.run.addAffine(result, result, this.entry(window, digit));
      isEmpty = false;
    }
  }

  private entry(window: number, digit: number): number {
    return this.table + AFFINE_BYTES * (ENTRIES * window + digit - 1);
  }

  private load(result: number, affine: number): void {
    this.engine.copy(result, affine, 2);
    this.engine.write(result + 2 * ELEMENT_BYTES, 1n);
  }

  private fill(): void {
    const { run } = this.engine;
    const window = workspace();
    const multiple = (digit: number) => window.points + POINT_BYTES * (digit - 1);
    window.registers.write(multiple(1), this.point);
    for (let index = 0; index < WINDOWS; index += 1) {
      run.double(multiple(2), multiple(1));
      for (let digit = 3; digit <= ENTRIES + 1; digit += 1) {
        run.addPoint(multiple(digit), multiple(digit - 1), multiple(1));
      }
      this.storeWindow(index, window);
      this.engine.copy(multiple(1), multiple(ENTRIES + 1), 3);
    }
  }

  /** Stores the affine coordinates of a window's points, by one inversion for all of them. */
  private storeWindow(index: number, { points, products, registers, inverse, own, power }: Workspace): void {
    const { run } = this.engine;
    const z = (entry: number) => points + POINT_BYTES * entry + 2 * ELEMENT_BYTES;
    const product = (entry: number) => products + ELEMENT_BYTES * entry;
    this.engine.copy(product(0), z(0), 1);
    for (let entry = 1; entry < ENTRIES; entry += 1)
      run.multiply(product(entry), product(entry - 1), z(entry));
    registers.invert(inverse, product(ENTRIES - 1));
    for (let entry = ENTRIES - 1; entry >= 0; entry -= 1) {
      if (entry === 0) this.engine.copy(own, inverse, 1);
      else run.multiply(own, inverse, product(entry - 1));
      run.multiply(inverse, inverse, z(entry));
      const target = this.entry(index, entry + 1);
      run.square(power, own);
      run.multiply(target, points + POINT_BYTES * entry, power);
      run.multiply(power, power, own);
      run.multiply(target + ELEMENT_BYTES, points + POINT_BYTES * entry + ELEMENT_BYTES, power);
    }
  }
}

interface Workspace {
  readonly points: number;
  readonly products: number;
  readonly inverse: number;
  readonly own: number;
  readonly power: number;
  readonly registers: PointRegisters;
}

let shared: Workspace | undefined;

/** Where tables are made: one window at a time. */
function workspace(): Workspace {
  const engine = fieldEngine();
  return (shared ??= {
    points: engine.allocate(3 * (ENTRIES + 1)),
    products: engine.allocate(ENTRIES),
    inverse: engine.allocate(1),
    own: engine.allocate(1),
    power: engine.allocate(1),
    registers: new PointRegisters(),
  });
}
