import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { generatePrivateKey, signDigest } from '@tetrad/crypto';
import {
  openLibrary,
  recoverByPackage,
  useSystemLibrary,
  type RecoverKey,
} from '@tetrad/crypto/system-library';
import type { BenchResult } from '../report/result.js';

/** Signatures; TETRAD_BENCH_SIGNATURES sets another number. */
const DEFAULT_SIGNATURES = 1_000_000;
/** Recovered by one and then by the other. */
const GROUP = 2_000;
/** One in so many has a byte that was changed, or a scalar beyond the order. */
const TAMPERED = 4;

interface Signed {
  readonly compact: Uint8Array;
  readonly parity: 0 | 1;
  readonly digest: Uint8Array;
}

/**
 * Recovers keys of a million signatures, malformed ones among them, by the libsecp256k1 of the system and by the package, in turns.
 *
 * @throws Error where the library is not installed, or where the two find different keys
 */
export async function recovery(): Promise<BenchResult> {
  const name = await useSystemLibrary();
  const library = name === undefined ? undefined : await openLibrary(name);
  if (library === undefined) throw new Error('libsecp256k1 is not installed (Debian 12: libsecp256k1-1)');
  const count = Number(process.env['TETRAD_BENCH_SIGNATURES'] ?? DEFAULT_SIGNATURES);
  const [ours, theirs] = [new Timed(library), new Timed(recoverByPackage)];
  let keyless = 0;
  for (let done = 0; done < count; done += GROUP) {
    const group = makeGroup();
    const [own, other] = [ours.recover(group), theirs.recover(group)];
    for (const [index, key] of own.entries()) assertSame(group[index], key, other[index]);
    keyless += own.filter((key) => key === undefined).length;
  }
  const [mine, peer] = [ours.microseconds / count, theirs.microseconds / count];
  return {
    name: 'recovery',
    comparisons: [
      {
        what: 'CPU of a recovery',
        unit: 'µs',
        ours: mine,
        peer,
        peerName: 'package secp256k1',
        ratio: mine / peer,
        target: { bound: 0.8, side: 'atMost' },
      },
    ],
    figures: [
      { what: 'signatures', value: `${count}, of which ${keyless} have no key; both found the same of all` },
      { what: 'library', value: String(name) },
    ],
  };
}

function makeGroup(): readonly Signed[] {
  const key = generatePrivateKey();
  return Array.from({ length: GROUP }, (_, index) => {
    const digest = randomBytes(32);
    const { r, s, parity } = signDigest(digest, key);
    const compact = Buffer.concat([r, s]);
    if (index % TAMPERED === 0) tamper(compact, index / TAMPERED);
    return { compact, parity, digest };
  });
}

function tamper(compact: Buffer, index: number): void {
  const [at = 0, byte = 0] = randomBytes(2);
  if (index % 8 === 0) compact.fill(index % 16 === 0 ? 0xff : 0, 0, 32);
  else if (index % 8 === 1) compact.fill(index % 16 === 1 ? 0xff : 0, 32);
  else compact[at % 64] = byte;
}

function assertSame(signed: Signed | undefined, own?: Uint8Array, other?: Uint8Array): void {
  if (isDeepStrictEqual(own, other)) return;
  throw new Error(`different keys of ${Buffer.from(signed?.compact ?? []).toString('hex')}`);
}

/** A way to recover, with the CPU time that it has used. */
class Timed {
  microseconds = 0;

  constructor(private readonly way: RecoverKey) {}

  recover(group: readonly Signed[]): readonly (Uint8Array | undefined)[] {
    const before = process.cpuUsage();
    const keys = group.map(({ compact, parity, digest }) => this.way(compact, parity, digest));
    const { user, system } = process.cpuUsage(before);
    this.microseconds += user + system;
    return keys;
  }
}
