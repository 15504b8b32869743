/**
 * Packages that stay outside of a bundle, because they load files next to them: native addons,
 * WebAssembly modules, threads, the PostgreSQL server. All other packages become part of it.
 */
export const EXTERNAL_PACKAGES = [
  '@aws-sdk/client-kms',
  '@aws-sdk/client-secrets-manager',
  '@aztec/bb.js',
  '@chainsafe/bls',
  '@noir-lang/noir_js',
  '@noir-lang/noir_wasm',
  '@tetrad/embedded-postgres',
  'bls-eth-wasm',
  'koffi',
  'pg-native',
  'pkcs11js',
  'secp256k1',
  'solc',
] as const;

/**
 * Not part of images, which get the URL of a database, and whose users add the packages of their HSM or key service; a
 * service reports when it needs them.
 */
export const LEFT_OUT_OF_IMAGES: readonly string[] = [
  '@aws-sdk/client-kms',
  '@aws-sdk/client-secrets-manager',
  '@noir-lang/noir_wasm',
  '@tetrad/embedded-postgres',
  'pg-native',
  'pkcs11js',
];
