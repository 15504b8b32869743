import { RollupCodec } from '@tetrad/rollup-chain';
import {
  FIELD_MODULUS,
  FULL_ROUNDS,
  GENERATOR,
  GROUP_ORDER,
  INTERNAL_DIAGONAL,
  PARTIAL_ROUNDS,
  deriveRoundConstants,
  encodeWord,
} from '@tetrad/rollup-crypto';
import { hexFromBytes } from '@tetrad/types';

const word = (value: bigint) => hexFromBytes(encodeWord(value));

/** In Barretenberg it is a series of sums; the hashes of `hash.json` hold it to them. */
const EXTERNAL_MATRIX = [
  [5, 7, 1, 3],
  [4, 6, 1, 1],
  [1, 3, 5, 7],
  [1, 1, 4, 6],
];

/** The numbers of the hash and the curve. */
export function constantsVector(): unknown {
  return {
    field: word(FIELD_MODULUS),
    grumpkin: {
      b: word(FIELD_MODULUS - 17n),
      order: word(GROUP_ORDER),
      generator: [word(GENERATOR.x), word(GENERATOR.y)],
    },
    poseidon2: {
      externalMatrix: EXTERNAL_MATRIX,
      internalDiagonal: INTERNAL_DIAGONAL.map(word),
      fullRounds: FULL_ROUNDS,
      partialRounds: PARTIAL_ROUNDS,
      roundConstants: deriveRoundConstants().map(word),
    },
  };
}

/** The ABI of the contract as its clients need it: without its constructor, and without the names that Solidity has for types. */
export async function contractVector(): Promise<unknown> {
  const { abi } = new RollupCodec();
  const entries = JSON.parse(abi.formatJson()) as readonly AbiEntry[];
  return entries.filter(({ type }) => type !== 'constructor').map(withIndexed);
}

interface AbiEntry {
  readonly type: string;
  readonly inputs?: readonly object[];
}

/** Every parameter of an event says whether it is indexed, as the compiler has it; ethers leaves out the false ones of an ABI of text. */
function withIndexed(entry: AbiEntry): AbiEntry {
  if (entry.type !== 'event' || entry.inputs === undefined) return entry;
  return { ...entry, inputs: entry.inputs.map((input) => ({ indexed: false, ...input })) };
}
