import { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { recoverByPackage, signDigest, useRecovery, type RecoverKey } from './secp256k1.js';

export { recoverByPackage, type RecoverKey } from './secp256k1.js';

/**
 * libsecp256k1 as systems install it, by the versions of its interface: Debian has the first in version 12 and the second in
 * version 13. The functions that are called here are the same in all of them.
 */
const NAMES = ['libsecp256k1.so.1', 'libsecp256k1.so.2', 'libsecp256k1.so.6'];

/** Of `secp256k1.h`: flags of a context, and of a public key of 65 bytes. */
const CONTEXT_NONE = 1;
const UNCOMPRESSED = 2;

/** Bytes of the library's own forms, opaque, and of what goes in and out. */
const SIZES = { signature: 65, publicKey: 64, serialized: 65, digest: 32, compact: 64 };

/** The library's functions, which return 1 when they succeed. */
interface Functions {
  create(flags: number): unknown;
  parse(context: unknown, signature: Uint8Array, compact: Uint8Array, recoveryId: number): number;
  recover(context: unknown, publicKey: Uint8Array, signature: Uint8Array, digest: Uint8Array): number;
  serialize(
    context: unknown,
    output: Uint8Array,
    length: BigUint64Array,
    publicKey: Uint8Array,
    flags: number,
  ): number;
}

let loading: Promise<string | undefined> | undefined;

/**
 * Recovers keys in this thread by the libsecp256k1 of the system from now on, if one is installed that finds the same keys as the
 * package secp256k1: it takes two thirds of the time. The library is looked for once.
 *
 * @returns the name of the library; undefined when none is installed that can be used, and the package recovers as before
 */
export function useSystemLibrary(): Promise<string | undefined> {
  return (loading ??= load());
}

async function load(): Promise<string | undefined> {
  for (const name of NAMES) {
    const recover = await openLibrary(name);
    if (recover === undefined || !agrees(recover)) continue;
    useRecovery(recover);
    return name;
  }
  return undefined;
}

/**
 * Opens a library of this name.
 *
 * @param name - as the dynamic linker takes it
 * @returns undefined where it is not installed, or lacks what is needed
 */
export async function openLibrary(name: string): Promise<RecoverKey | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load(name);
    return recoveryBy({
      create: library.func('void* secp256k1_context_create(unsigned int)'),
      parse: library.func(
        'int secp256k1_ecdsa_recoverable_signature_parse_compact(void*, uint8_t*, uint8_t*, int)',
      ),
      recover: library.func('int secp256k1_ecdsa_recover(void*, uint8_t*, uint8_t*, uint8_t*)'),
      serialize: library.func(
        'int secp256k1_ec_pubkey_serialize(void*, uint8_t*, size_t*, uint8_t*, unsigned int)',
      ),
    });
  } catch {
    return undefined;
  }
}

/** The library ends the process at an argument that its interface excludes: lengths and number are checked before. */
function recoveryBy({ create, parse, recover, serialize }: Functions): RecoverKey {
  const context = create(CONTEXT_NONE);
  const signature = Buffer.alloc(SIZES.signature);
  const publicKey = Buffer.alloc(SIZES.publicKey);
  const serialized = Buffer.alloc(SIZES.serialized);
  const length = new BigUint64Array(1);
  return (compact, recoveryId, digest) => {
    const isWellFormed = compact.length === SIZES.compact && digest.length === SIZES.digest;
    if (!isWellFormed || (recoveryId !== 0 && recoveryId !== 1)) return undefined;
    if (parse(context, signature, compact, recoveryId) !== 1) return undefined;
    if (recover(context, publicKey, signature, digest) !== 1) return undefined;
    length[0] = BigInt(SIZES.serialized);
    serialize(context, serialized, length, publicKey, UNCOMPRESSED);
    return new Uint8Array(serialized.subarray(1));
  };
}

/** Whether it answers as the package does: a library of another kind may have the name. */
function agrees(recover: RecoverKey): boolean {
  const digest = Buffer.alloc(SIZES.digest, 0x17);
  const { r, s, parity } = signDigest(digest, Buffer.alloc(32, 0x42));
  const good = Buffer.concat([r, s]);
  // An r that is no coordinate below the order, and one of which no point of the curve has the x.
  const beyond = Buffer.concat([Buffer.alloc(32, 0xff), s]);
  const offCurve = Buffer.concat([Buffer.alloc(31), Buffer.of(5), s]);
  return [good, beyond, offCurve].every((compact) =>
    isDeepStrictEqual(recover(compact, parity, digest), recoverByPackage(compact, parity, digest)),
  );
}
