import type { OptionType } from '@tetrad/service';
import { isHash, parseHash, type Hash } from '@tetrad/types';

/** Number and hash of a block. */
interface CheckpointBlock {
  readonly number: number;
  readonly hash: Hash;
}

const MAX_NUMBER_DIGITS = 15;

/** A block, given by its number and its hash. */
export function checkpointOption(): OptionType<CheckpointBlock> {
  return {
    placeholder: 'NUMBER:HASH',
    toml: 'string',
    format: ({ number, hash }) => `${number}:${hash}`,
    parse(text) {
      const [number = '', hash = '', ...more] = text.split(':');
      const isNumber = /^\d+$/.test(number) && number.length <= MAX_NUMBER_DIGITS && Number(number) > 0;
      if (!isNumber || !isHash(hash) || more.length > 0)
        throw new RangeError(
          'must be the number of a block after block 0, a colon, and its hash of 0x and 64 hex digits',
        );
      return { number: Number(number), hash: parseHash(hash) };
    },
  };
}
