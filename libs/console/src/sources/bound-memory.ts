const PAGE = 65_536;

/** What the memories of a thread have in common. */
export interface GrowingMemory {
  grow(this: { readonly buffer: { readonly byteLength: number } }, pages: number): number;
}

/**
 * Refuses growth of a WebAssembly memory beyond so many bytes, in this thread. A program that asks for more gets none.
 * @param prototype - of the memories of the thread
 */
export function boundMemory(prototype: GrowingMemory, maxBytes: number): void {
  const { grow } = prototype;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > maxBytes) throw new RangeError('out of memory');
    return grow.call(this, pages);
  };
}
