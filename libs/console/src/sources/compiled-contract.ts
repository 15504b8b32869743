/** Places in code, in bytes. */
export interface CodePlace {
  readonly start: number;
  readonly length: number;
}

/** A contract as the compiler has it. */
export interface CompiledContract {
  readonly file: string;
  readonly name: string;
  readonly abi: readonly unknown[];
  /** Hex without 0x; what the creation fills in is zeros, what a linker does is a placeholder. */
  readonly code: string;
  /** Places of each immutable value. */
  readonly immutables: readonly (readonly CodePlace[])[];
  /** Places of each library's address. */
  readonly libraries: readonly (readonly CodePlace[])[];
}

/** What the thread of the compiler answers. */
export type CompilerAnswer =
  | { readonly version: string; readonly contracts: readonly CompiledContract[] }
  | { readonly version: string; readonly errors: readonly string[] }
  /** The compiler failed itself, for want of memory for example. */
  | { readonly fault: string };
