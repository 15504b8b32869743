import type { ForkName } from '../precompile.js';

/** An input that takes long for its gas. */
export interface WorstInput {
  readonly name: string;
  readonly fork: ForkName;
  readonly address: number;
  readonly input: Uint8Array;
}

const concat = (...parts: readonly Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const ones = (length: number) => new Uint8Array(length).fill(255);
const times = (count: number, part: Uint8Array) => concat(...Array.from({ length: count }, () => part));

function lengthWord(length: number): Uint8Array {
  const word = new Uint8Array(32);
  new DataView(word.buffer).setUint32(28, length);
  return word;
}

/** @param zeros - bytes at the end of the modulus, which is a number of two parts, odd and a power of two */
function modexp(fork: ForkName, bytes: number, exponent: number, zeros = 0): WorstInput {
  const modulus = ones(bytes).fill(0, bytes - zeros);
  // Two divides it once at least: the odd part is as long as it can be, and there is a power of two besides.
  modulus[bytes - 1 - zeros] = 254;
  const lengths = [bytes, exponent, bytes].map(lengthWord);
  const input = concat(...lengths, ones(bytes).fill(253), ones(exponent), modulus);
  const half = zeros === 0 ? '' : ', half even';
  return { name: `MODEXP ${bytes} bytes ^ ${exponent} bytes${half}, ${fork}`, fork, address: 5, input };
}

/** Generators of bn254 and a scalar. Source: EIP-197, "Definition of the groups". */
const BN254_G1 = hex('01'.padStart(64, '0') + '02'.padStart(64, '0'));
const BN254_G2 = hex(
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
);

/** Published vectors that hold. Source: ../../../execution/vectors/ORIGIN.md, `precompiles.json`. */
const HOLDING = {
  ecrecover:
    '18c547e4f7b0f325ad1e56f57e26c745b09a3e503d86e00e5255ff7f715d3d1c00000000000000000000000000000000' +
    '0000000000000000000000000000001c73b1693892219d736caba55bdb67216e485557ea6b6af75f37096c9aa6a5a75f' +
    'eeb940b1d03b21e36b0e47e79769f095fe2ab855bd91e3a38756b7d75a9c4549',
  pointEvaluation:
    '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f' +
    '0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1' +
    '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7' +
    '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
  p256Verify:
    '4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d169' +
    '31ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d60' +
    '4aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc8' +
    '26d0f7c00181a5fb2ddf79ae00b4e10e',
} as const;

function blake2f(rounds: number): Uint8Array {
  const input = new Uint8Array(213).fill(7, 4, 212);
  new DataView(input.buffer).setUint32(0, rounds);
  return input;
}

/** Inputs that need no more than the definitions of the curves; `map` gives the points of field elements. */
export async function worstInputs(
  map: (address: number, field: Uint8Array) => Promise<Uint8Array>,
): Promise<readonly WorstInput[]> {
  const g1 = await map(0x10, new Uint8Array(64).fill(5, 20));
  const g2 = await map(0x11, times(2, new Uint8Array(64).fill(5, 20)));
  const of = (name: string, fork: ForkName, address: number, input: Uint8Array): WorstInput => ({
    name,
    fork,
    address,
    input,
  });
  return [
    of('ECRECOVER', 'osaka', 1, hex(HOLDING.ecrecover)),
    of('point evaluation', 'osaka', 0x0a, hex(HOLDING.pointEvaluation)),
    of('P256VERIFY', 'osaka', 0x100, hex(HOLDING.p256Verify)),
    of('SHA-256, empty', 'osaka', 2, new Uint8Array(0)),
    of('SHA-256, 100 kB', 'osaka', 2, ones(100_000)),
    of('RIPEMD-160, 100 kB', 'osaka', 3, ones(100_000)),
    of('identity, empty', 'osaka', 4, new Uint8Array(0)),
    of('identity, 100 kB', 'osaka', 4, ones(100_000)),
    ...[2, 8, 32, 256].map((bytes) => modexp('byzantium', bytes, 512)),
    ...[8, 16, 24, 32, 64, 256, 512, 1_024].map((bytes) => modexp('berlin', bytes, Math.min(bytes, 128))),
    ...[16, 24, 32, 256].map((bytes) => modexp('berlin', bytes, Math.min(bytes, 128), bytes / 2)),
    ...[8, 32, 64, 256].map((bytes) => modexp('osaka', bytes, bytes)),
    of('bn254 addition', 'osaka', 6, times(2, BN254_G1)),
    of('bn254 product', 'osaka', 7, concat(BN254_G1, ones(32))),
    of('bn254 pairing, 1 pair', 'osaka', 8, concat(BN254_G1, BN254_G2)),
    of('bn254 pairing, 12 pairs', 'osaka', 8, times(12, concat(BN254_G1, BN254_G2))),
    of('BLAKE2F, 1 round', 'osaka', 9, blake2f(1)),
    of('BLAKE2F, 1,000,000 rounds', 'osaka', 9, blake2f(1_000_000)),
    of('BLS12_G1ADD', 'osaka', 0x0b, times(2, g1)),
    ...[1, 2, 128].map((count) =>
      of(`BLS12_G1MSM, ${count}`, 'osaka', 0x0c, times(count, concat(g1, ones(32)))),
    ),
    of('BLS12_G2ADD', 'osaka', 0x0d, times(2, g2)),
    ...[1, 2, 128].map((count) =>
      of(`BLS12_G2MSM, ${count}`, 'osaka', 0x0e, times(count, concat(g2, ones(32)))),
    ),
    ...[1, 12].map((count) =>
      of(`BLS12_PAIRING_CHECK, ${count}`, 'osaka', 0x0f, times(count, concat(g1, g2))),
    ),
    of('BLS12_MAP_FP_TO_G1', 'osaka', 0x10, new Uint8Array(64).fill(9, 20)),
    of('BLS12_MAP_FP2_TO_G2', 'osaka', 0x11, times(2, new Uint8Array(64).fill(9, 20))),
  ];
}
