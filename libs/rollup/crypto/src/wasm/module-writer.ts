/** Writes WebAssembly modules: as much of the binary format as field arithmetic needs. */

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const I32 = 0x7f;
const I64 = 0x7e;
const FUNCTION = 0x60;

/** WebAssembly core specification 2.0, section 5.4.7. */
const opcodes = {
  end: 0x0b,
  call: 0x10,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  load32u: 0x35,
  load64: 0x29,
  store32: 0x3e,
  store64: 0x37,
  i32const: 0x41,
  i64const: 0x42,
  i32add: 0x6a,
  add: 0x7c,
  sub: 0x7d,
  mul: 0x7e,
  and: 0x83,
  or: 0x84,
  shl: 0x86,
  shrS: 0x87,
  shrU: 0x88,
} as const;

export type Operator = 'add' | 'sub' | 'mul' | 'and' | 'or' | 'shl' | 'shrS' | 'shrU';

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = BigInt.asIntN(64, value); ; rest >>= 7n) {
    const low = Number(BigInt.asUintN(7, rest));
    const next = rest >> 7n;
    const isLast = (next === 0n && (low & 0x40) === 0) || (next === -1n && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

const vector = (items: readonly (readonly number[])[]) => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: readonly number[]) => [id, ...unsigned(content.length), ...content];

/** The body of a function: parameters are addresses (i32), locals are i64. */
export class FunctionBody {
  private readonly code: number[] = [];
  private localCount = 0;

  constructor(readonly parameters: number) {}

  /** A new i64 local. */
  local(): number {
    this.localCount += 1;
    return this.parameters + this.localCount - 1;
  }

  locals(count: number): number[] {
    return Array.from({ length: count }, () => this.local());
  }

  get(local: number): this {
    return this.emit(opcodes.get, ...unsigned(local));
  }

  set(local: number): this {
    return this.emit(opcodes.set, ...unsigned(local));
  }

  tee(local: number): this {
    return this.emit(opcodes.tee, ...unsigned(local));
  }

  constant(value: bigint): this {
    return this.emit(opcodes.i64const, ...signed(value));
  }

  /** An address: a parameter, or a fixed place. */
  address(place: Place): this {
    if (place.parameter === undefined) return this.emit(opcodes.i32const, ...signed(BigInt(place.offset)));
    this.get(place.parameter);
    if (place.offset === 0) return this;
    return this.emit(opcodes.i32const, ...signed(BigInt(place.offset)), opcodes.i32add);
  }

  apply(operator: Operator): this {
    return this.emit(opcodes[operator]);
  }

  /** Loads 32 bits at the parameter's address and the offset. */
  load32(parameter: number, offset: number): this {
    return this.get(parameter).emit(opcodes.load32u, 2, ...unsigned(offset));
  }

  load64(parameter: number, offset: number): this {
    return this.get(parameter).emit(opcodes.load64, 3, ...unsigned(offset));
  }

  /** Stores what is on the stack, under which lies the address. */
  store32(offset: number): this {
    return this.emit(opcodes.store32, 2, ...unsigned(offset));
  }

  store64(offset: number): this {
    return this.emit(opcodes.store64, 3, ...unsigned(offset));
  }

  call(index: number, ...places: readonly Place[]): this {
    for (const place of places) this.address(place);
    return this.emit(opcodes.call, ...unsigned(index));
  }

  encode(): number[] {
    const locals = this.localCount === 0 ? [0] : [1, ...unsigned(this.localCount), I64];
    const body = [...locals, ...this.code, opcodes.end];
    return [...unsigned(body.length), ...body];
  }

  private emit(...bytes: readonly number[]): this {
    for (const byte of bytes) this.code.push(byte);
    return this;
  }
}

/** An address in memory: fixed, or counted from what a parameter holds. */
export interface Place {
  readonly parameter?: number;
  readonly offset: number;
}

/** Functions over one memory that the host supplies as `env.memory`. */
export class ModuleWriter {
  private readonly functions: { readonly name: string; readonly body: FunctionBody }[] = [];

  /** Adds an exported function of that many addresses. Out: its index, to call it by. */
  add(name: string, parameters: number, write: (body: FunctionBody) => void): number {
    const body = new FunctionBody(parameters);
    write(body);
    this.functions.push({ name, body });
    return this.functions.length - 1;
  }

  encode(): Uint8Array<ArrayBuffer> {
    const text = (value: string) => vector([...Buffer.from(value)].map((byte) => [byte]));
    const types = this.functions.map(({ body }) => [
      FUNCTION,
      ...vector(Array.from({ length: body.parameters }, () => [I32])),
      0,
    ]);
    const memory = [...text('env'), ...text('memory'), 2, 0, 1];
    return Uint8Array.from([
      ...MAGIC,
      ...section(1, vector(types)),
      ...section(2, vector([memory])),
      ...section(3, vector(this.functions.map((_, index) => unsigned(index)))),
      ...section(7, vector(this.functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]))),
      ...section(10, vector(this.functions.map(({ body }) => body.encode()))),
    ]);
  }
}
