import type { Rules } from '../../src/index.js';
import { CONTRACTS } from './contracts.js';

/** Numbers in [0, 1) that are the same for the same seed. */
export type Random = () => number;

const INTERESTING = [
  0n,
  1n,
  2n,
  31n,
  32n,
  255n,
  256n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 64n,
  2n ** 160n - 1n,
  2n ** 255n,
  2n ** 256n - 1n,
];
const BINARY = [
  1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d,
];
const UNARY = [0x15, 0x19, 0x1e, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x51, 0x54, 0x5c, 0x49];
const PUSHING = [
  0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x58,
  0x59, 0x5a,
];

/** Writes code that mostly makes sense, so that it gets somewhere, from parts that leave the stack as high or higher. */
export class ProgramWriter {
  private readonly bytes: number[] = [];

  constructor(
    private readonly random: Random,
    private readonly rules: Rules,
  ) {}

  write(parts: number, depth = 0): Uint8Array {
    for (let n = 0; n < parts; n++) this.part(depth);
    this.end();
    if (this.random() < 0.15) this.mutate();
    return Uint8Array.from(this.bytes);
  }

  private part(depth: number): void {
    const writers = [
      () => this.pushWord(),
      () => this.operate(this.known(BINARY), 2),
      () => this.operate(this.known(BINARY), 2),
      () => this.operate(this.known(UNARY), 1),
      () => this.emit(this.known(PUSHING)),
      () => this.operate(this.pick([8, 9]), 3),
      () => this.shuffle(),
      () => this.storage(),
      () => this.memory(),
      () => this.copy(),
      () => this.hash(),
      () => this.log(),
      () => this.jump(depth),
      () => this.loop(depth),
      () => this.call(),
      () => this.call(),
      () => (depth < 2 ? this.create(depth) : this.pushWord()),
      () => (this.random() < 0.03 ? this.emit(Math.floor(this.random() * 256)) : this.pushWord()),
    ];
    (this.pick(writers) as () => void)();
  }

  private operate(op: number, inputs: number): void {
    for (let n = 0; n < inputs; n++) if (this.random() < 0.96) this.pushWord();
    this.emit(op);
  }

  private shuffle(): void {
    this.pushWord();
    this.pushWord();
    this.emit(
      this.random() < 0.5
        ? 0x80 + this.below(this.random() < 0.98 ? 2 : 16)
        : 0x90 + this.below(this.random() < 0.98 ? 1 : 16),
    );
    if (this.random() < 0.3) this.emit(0x50);
  }

  private storage(): void {
    this.pushWord();
    this.push(BigInt(this.below(4)));
    this.emit(this.random() < 0.8 || this.rules.opcodes[0x5d] === undefined ? 0x55 : 0x5d);
    if (this.random() < 0.5) {
      this.push(BigInt(this.below(4)));
      this.emit(0x54);
    }
  }

  private memory(): void {
    this.pushWord();
    this.pushOffset();
    this.emit(this.random() < 0.7 ? 0x52 : 0x53);
    if (this.random() < 0.5) {
      this.pushOffset();
      this.emit(0x51);
    }
  }

  private copy(): void {
    const op = this.known([0x37, 0x39, 0x3c, 0x3e, 0x5e]);
    this.pushSize();
    this.pushOffset();
    this.pushOffset();
    if (op === 0x3c) this.pushAddress();
    this.emit(op);
  }

  private hash(): void {
    this.pushSize();
    this.pushOffset();
    this.emit(0x20);
  }

  private log(): void {
    const topics = this.below(5);
    for (let n = 0; n < topics; n++) this.pushWord();
    this.pushSize();
    this.pushOffset();
    this.emit(0xa0 + topics);
  }

  /** Over some bytes to a JUMPDEST, or, now and then, to none. */
  private jump(depth: number): void {
    const conditional = this.random() < 0.5;
    if (conditional) this.pushWord();
    const skipped = new ProgramWriter(this.random, this.rules).body(this.below(3), depth + 2);
    const off = this.random() < 0.05 ? 1 : 0;
    const size = 1 + skipped.length;
    const target = this.bytes.length + 3 + size + off;
    this.emit(0x61, target >> 8, target & 0xff, conditional ? 0x57 : 0x56, ...skipped, 0x5b);
  }

  /** Counts down from a few; code inside leaves the stack as it was, or fails soon. */
  private loop(depth: number): void {
    this.push(BigInt(1 + this.below(20)));
    const start = this.bytes.length;
    this.emit(0x5b);
    const inner = new ProgramWriter(this.random, this.rules);
    inner.storageOrMemory(depth);
    this.emit(...inner.bytes, 0x60, 1, 0x90, 0x03, 0x80, 0x61, start >> 8, start & 0xff, 0x57, 0x50);
  }

  private storageOrMemory(_depth: number): void {
    this.pushWord();
    this.push(BigInt(this.below(4)));
    this.emit(this.pick([0x55, 0x52, 0x53]));
  }

  private call(): void {
    const op = this.known([0xf1, 0xf1, 0xf2, 0xf4, 0xfa]);
    this.pushSize();
    this.pushOffset();
    this.pushSize();
    this.pushOffset();
    if (op === 0xf1 || op === 0xf2) this.push(this.random() < 0.6 ? 0n : BigInt(this.below(100)));
    this.pushAddress();
    if (this.random() < 0.5) this.emit(0x5a);
    else this.push(BigInt(this.below(100_000)));
    this.emit(op);
  }

  private create(depth: number): void {
    const init = new ProgramWriter(this.random, this.rules).write(1 + this.below(6), depth + 1);
    const size = Math.min(init.length, 96);
    for (let at = 0; at < size; at += 32) {
      const word = new Uint8Array(32);
      word.set(init.subarray(at, Math.min(at + 32, size)));
      this.emit(0x7f, ...word, 0x60, at, 0x52);
    }
    const salted = this.random() < 0.5 && this.rules.opcodes[0xf5] !== undefined;
    if (salted) this.pushWord();
    if (this.random() < 0.1) {
      this.pushSize();
      this.pushOffset();
    } else {
      this.push(BigInt(size));
      this.push(0n);
    }
    this.push(this.random() < 0.7 ? 0n : BigInt(this.below(50)));
    this.emit(salted ? 0xf5 : 0xf0);
  }

  private end(): void {
    const op = this.known([0x00, 0xf3, 0xf3, 0xfd, 0xff, 0xfe, 0x00, 0x00, 0xf3, 0x00]);
    if (op === 0xf3 || op === 0xfd) {
      this.pushSize();
      this.pushOffset();
    }
    if (op === 0xff) this.pushAddress();
    this.emit(op);
  }

  private body(parts: number, depth: number): number[] {
    for (let n = 0; n < parts; n++) this.part(depth);
    return this.bytes;
  }

  private mutate(): void {
    for (let n = 1 + this.below(3); n > 0; n--) {
      this.bytes[this.below(this.bytes.length)] = this.below(256);
    }
  }

  private pushWord(): void {
    const kind = this.random();
    if (kind < 0.5) this.push(this.pick(INTERESTING));
    else if (kind < 0.7) this.push(BigInt(this.below(300)));
    else if (kind < 0.8) this.pushAddress();
    else this.push(BigInt.asUintN(8 * (1 + this.below(32)), this.wide()));
  }

  private wide(): bigint {
    let word = 0n;
    for (let n = 0; n < 8; n++) word = (word << 32n) | BigInt(Math.floor(this.random() * 2 ** 32));
    return word;
  }

  private pushAddress(): void {
    const known = [...CONTRACTS, 1n, 2n, 3n, 4n, 0xeen, 0xdeadn];
    this.push(this.pick(known));
  }

  private pushOffset(): void {
    if (this.random() < 0.008) this.push(this.pick(INTERESTING));
    else this.push(BigInt(this.below(this.random() < 0.9 ? 100 : 5_000)));
  }

  private pushSize(): void {
    if (this.random() < 0.008) this.push(this.pick(INTERESTING));
    else this.push(BigInt(this.below(this.random() < 0.9 ? 70 : 3_000)));
  }

  private push(word: bigint): void {
    const digits = word.toString(16);
    const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
    this.emit(0x5f + bytes.length, ...bytes);
  }

  /** One of the opcodes that the fork has; now and then one that it may not have. */
  private known(from: readonly number[]): number {
    const own = from.filter((op) => this.rules.opcodes[op] !== undefined);
    return this.pick(this.random() < 0.005 ? from : own);
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private emit(...bytes: number[]): void {
    this.bytes.push(...bytes);
  }
}
