import type { Address } from '@tetrad/types';
import { ConsensusError } from './consensus-error.js';
import { decodeIbftExtraData } from './ibft-extra-data.js';
import { decodeQbftExtraData } from './qbft-extra-data.js';

type Engine = 'qbft' | 'ibft';

const DECODERS = { qbft: decodeQbftExtraData, ibft: decodeIbftExtraData };

/** The encodings of docs/spec/bft.md#headers, described for an operator that corrects a genesis file. */
const FORMS: Readonly<Record<Engine, string>> = {
  qbft: 'RLP([vanity (32 bytes), [validator (20 bytes), …], [], 0, []])',
  ibft: '32 bytes of vanity and RLP([[validator (20 bytes), …], proposer seal (65 bytes or none), []])',
};

/**
 * The validators that the extra data of block 0 names.
 * @throws ConsensusError that says which form is expected, and of which engine the given form is
 */
export function readGenesisValidators(engine: Engine, extraData: Uint8Array): readonly Address[] {
  const validators = tryDecode(engine, extraData);
  if (validators !== undefined) return validators;
  const other = engine === 'qbft' ? 'ibft' : 'qbft';
  const found =
    extraData.length === 0
      ? 'it is empty'
      : tryDecode(other, extraData) === undefined
        ? `its ${extraData.length} bytes are something else`
        : `it has the form of ${other}`;
  throw new ConsensusError(`extraData: must be that of ${engine}, ${FORMS[engine]}; ${found}`);
}

function tryDecode(engine: Engine, extraData: Uint8Array): readonly Address[] | undefined {
  try {
    return DECODERS[engine](extraData).validators;
  } catch (error) {
    if (error instanceof ConsensusError) return undefined;
    throw error;
  }
}
