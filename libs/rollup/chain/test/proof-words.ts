import { FIELD_MODULUS, GROUP_ORDER, WORD_BYTES, decodeWord, encodeWord } from '@tetrad/rollup-crypto';

const WORD_LIMIT = 2n ** 256n;

/** A proof with other bytes. */
export interface ChangedProof {
  readonly name: string;
  readonly proof: Uint8Array;
}

type Replace = (word: bigint, next: bigint) => bigint;

/** What a word becomes; `next` is the one behind it, which becomes this one where they are swapped. */
const REPLACEMENTS: Readonly<Record<string, Replace>> = {
  zero: () => 0n,
  'one higher': (word) => word + 1n,
  'one lower': (word) => word - 1n,
  'the modulus of the scalars': () => FIELD_MODULUS,
  'the modulus of the coordinates': () => GROUP_ORDER,
  'the same above the modulus of the scalars': (word) => word + FIELD_MODULUS,
  'the same above the modulus of the coordinates': (word) => word + GROUP_ORDER,
  'the highest that there is': () => WORD_LIMIT - 1n,
  'the next one': (_, next) => next,
  negated: (word) => FIELD_MODULUS - (word % FIELD_MODULUS),
  'negated as a coordinate': (word) => GROUP_ORDER - (word % GROUP_ORDER),
};

/** Each word of a proof in each of several ways another. Those that change nothing are left out. */
export function changedWords(proof: Uint8Array): ChangedProof[][] {
  const words = Array.from({ length: proof.length / WORD_BYTES }, (_, index) =>
    decodeWord(proof, WORD_BYTES * index),
  );
  return words.map((word, index) => {
    const next = words[(index + 1) % words.length] as bigint;
    const changed = Object.entries(REPLACEMENTS).map(([name, replace]) => ({
      name: `word ${index}: ${name}`,
      proof: withWord(proof, index, BigInt.asUintN(256, replace(word, next))),
    }));
    const swapped = withWord(withWord(proof, index, next), (index + 1) % words.length, word);
    return [...changed, { name: `word ${index} and the next swapped`, proof: swapped }].filter(
      (each) => !Buffer.from(each.proof).equals(proof),
    );
  });
}

/** Proofs of other lengths. */
export function changedLengths(proof: Uint8Array): ChangedProof[] {
  const word = new Uint8Array(WORD_BYTES);
  return [
    { name: 'without bytes', proof: new Uint8Array() },
    { name: 'without its last byte', proof: proof.subarray(0, -1) },
    { name: 'without its last word', proof: proof.subarray(0, -WORD_BYTES) },
    { name: 'without its first word', proof: proof.subarray(WORD_BYTES) },
    { name: 'with a byte more', proof: Buffer.concat([proof, word.subarray(1, 2)]) },
    { name: 'with a word more', proof: Buffer.concat([proof, word]) },
    { name: 'with a word before it', proof: Buffer.concat([word, proof]) },
    { name: 'twice', proof: Buffer.concat([proof, proof]) },
  ];
}

function withWord(proof: Uint8Array, index: number, word: bigint): Uint8Array {
  const changed = Uint8Array.from(proof);
  changed.set(encodeWord(word), WORD_BYTES * index);
  return changed;
}
