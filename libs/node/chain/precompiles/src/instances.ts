/** How many instances are kept for the next calls. */
const KEPT = 4;

/**
 * Instances of a WebAssembly module, one for each piece of work at a time: work that yields in the middle keeps its
 * instance, and with it the state in its memory.
 */
export class Instances<Exports> {
  private readonly module: object;
  private readonly idle: Instance<Exports>[] = [];

  /** @param base64 - the module as base64 */
  constructor(base64: string) {
    this.module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  }

  take(): Instance<Exports> {
    return this.idle.pop() ?? this.create();
  }

  giveBack(instance: Instance<Exports>): void {
    if (this.idle.length < KEPT) this.idle.push(instance);
  }

  private create(): Instance<Exports> {
    const exports = new WebAssembly.Instance(this.module, {}).exports as Exports & Memory;
    return { exports, bytes: new Uint8Array(exports.memory.buffer) };
  }
}

export interface Instance<Exports> {
  readonly exports: Exports;
  /** All of its memory, which does not grow. */
  readonly bytes: Uint8Array;
}

interface Memory {
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The part of the engine's interface that is used here; the types of Node.js leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};
