/**
 * Packages that stay outside of a bundle, because they load files next to them: native addons,
 * WebAssembly modules, threads, the PostgreSQL server. All other packages become part of it.
 */
export const EXTERNAL_PACKAGES = [
  '@aztec/bb.js',
  '@chainsafe/bls',
  '@noir-lang/noir_js',
  '@noir-lang/noir_wasm',
  '@tetrad/embedded-postgres',
  'bls-eth-wasm',
  'pg-native',
  'secp256k1',
  'solc',
] as const;

/** Not part of images, which get the URL of a database; a service reports when it needs them. */
export const LEFT_OUT_OF_IMAGES: readonly string[] = [
  '@noir-lang/noir_wasm',
  '@tetrad/embedded-postgres',
  'pg-native',
  'solc',
];
