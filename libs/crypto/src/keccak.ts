import { hashFromBytes, type Hash } from '@tetrad/types';
import module from './generated/keccak256.js';

/** Bytes that the sponge absorbs at a time. */
const RATE = 136;
/** Where a message begins in the memory of the module, behind the state, and how much of it fits there at a time. */
const MESSAGE = 256;
const DIGEST_BYTES = 32;
const CAPACITY = 7_000 * RATE;

/*
 * One instance serves all callers: a hash is computed synchronously. It is called directly, since for the 64 bytes
 * that contracts hash most a library's bookkeeping takes as long as the permutation.
 */
const sponge = instantiate();
const memory = new Uint8Array(sponge.memory.buffer);
const digest = new DataView(sponge.memory.buffer, 0, DIGEST_BYTES);

/** Keccak-256 in 32 bytes, as Ethereum uses it (not SHA3-256). */
export function keccak256(bytes: Uint8Array): Uint8Array {
  hash(bytes);
  return memory.slice(0, DIGEST_BYTES);
}

/** Keccak-256 as a view that the next hash overwrites, for callers that read it at once. */
export function keccakView(bytes: Uint8Array): DataView {
  hash(bytes);
  return digest;
}

/**
 * Writes Keccak-256 into memory of the caller, which may be that of the bytes.
 * @param at - where its 32 bytes begin
 */
export function keccakInto(bytes: Uint8Array, into: Uint8Array, at: number): void {
  hash(bytes);
  for (let index = 0; index < DIGEST_BYTES; index++) into[at + index] = memory[index] as number;
}

/** Keccak-256 as a hash that can be compared and used as a key. */
export function keccakHash(bytes: Uint8Array): Hash {
  hash(bytes);
  return hashFromBytes(memory.subarray(0, DIGEST_BYTES));
}

function hash(bytes: Uint8Array): void {
  const size = bytes.length;
  if (size > CAPACITY) return hashInParts(bytes);
  memory.set(bytes, MESSAGE);
  sponge.keccak256(MESSAGE, size);
}

function hashInParts(bytes: Uint8Array): void {
  sponge.start();
  let at = 0;
  for (; bytes.length - at > CAPACITY; at += CAPACITY) {
    memory.set(bytes.subarray(at, at + CAPACITY), MESSAGE);
    sponge.absorb(MESSAGE, CAPACITY);
  }
  const last = bytes.subarray(at);
  memory.set(last, MESSAGE);
  const left = sponge.absorb(MESSAGE, last.length);
  sponge.finish(MESSAGE + last.length - left, left);
}

/** The exports of `assembly/keccak256.ts`. */
interface Sponge {
  readonly memory: { readonly buffer: ArrayBuffer };
  keccak256(from: number, size: number): void;
  start(): void;
  absorb(from: number, size: number): number;
  finish(from: number, size: number): void;
}

function instantiate(): Sponge {
  const compiled = new WebAssembly.Module(Uint8Array.from(atob(module), (one) => one.charCodeAt(0)));
  return new WebAssembly.Instance(compiled, {}).exports as Sponge;
}

/** The part of the WebAssembly interface used here; the types of Node.js leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** Keccak-256 of no bytes: the code hash of an account without code. */
export const EMPTY_KECCAK = keccakHash(new Uint8Array(0));
