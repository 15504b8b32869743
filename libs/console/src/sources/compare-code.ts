import type { CodePlace, CompiledContract } from './compiled-contract.js';

/** How code on the chain is that of sources: to the last byte, or but for the hash of the metadata, which depends on comments and paths. */
export type CodeMatch = 'exact' | 'apartFromMetadata';

/** Bytes of metadata at most: those of all compilers so far have less than 60. */
const MAX_METADATA_BYTES = 200;
/** PUSH20 of the own address, and what compares it with ADDRESS: a library begins so. Source: Solidity, "call protection for libraries" */
const LIBRARY = /^73(?:0{40})3014/;

/**
 * Whether the code of an account is that of a compiled contract. Immutable values and addresses of libraries may be any, but each is the same at
 * all its places; everything else has to be the same, but for the metadata.
 * @param onChain - hex with 0x
 */
export function compareCode(onChain: string, compiled: CompiledContract): CodeMatch | undefined {
  const found = onChain.slice(2).toLowerCase();
  const [actual, expected] = [splitMetadata(found), splitMetadata(compiled.code)];
  if (actual.code.length !== expected.code.length) return undefined;
  const own: readonly CodePlace[] = LIBRARY.test(expected.code) ? [{ start: 1, length: 20 }] : [];
  const filled = [...compiled.immutables, ...compiled.libraries, own];
  for (const places of filled) {
    if (places.some(({ start, length }) => 2 * (start + length) > expected.code.length)) return undefined;
    if (new Set(places.map((place) => at(actual.code, place))).size > 1) return undefined;
  }
  const places = filled.flat();
  if (masked(actual.code, places) !== masked(expected.code, places)) return undefined;
  return actual.metadata === expected.metadata ? 'exact' : 'apartFromMetadata';
}

/** Version of the compiler that made the code, by its metadata; undefined when it does not say. */
export function compilerOf(onChain: string): string | undefined {
  const { metadata } = splitMetadata(onChain.slice(2).toLowerCase());
  // CBOR: the text "solc", and three bytes.
  const [, version] = /64736f6c6343([0-9a-f]{6})/.exec(metadata) ?? [];
  if (version === undefined) return undefined;
  return [0, 2, 4].map((index) => parseInt(version.slice(index, index + 2), 16)).join('.');
}

/**
 * The code and the metadata behind it, which is a map in CBOR and its length. Source: Solidity, "Encoding of the metadata hash in the bytecode"
 */
function splitMetadata(hex: string): { readonly code: string; readonly metadata: string } {
  const bytes = parseInt(hex.slice(-4), 16) + 2;
  const metadata = hex.slice(-2 * bytes);
  if (hex.length < 2 * bytes || bytes > MAX_METADATA_BYTES || !/^a[1-4]6/.test(metadata))
    return { code: hex, metadata: '' };
  return { code: hex.slice(0, -2 * bytes), metadata };
}

const at = (code: string, { start, length }: CodePlace) => code.slice(2 * start, 2 * (start + length));

function masked(code: string, places: readonly CodePlace[]): string {
  const characters = [...code];
  for (const { start, length } of places) characters.fill('0', 2 * start, 2 * (start + length));
  return characters.join('');
}
