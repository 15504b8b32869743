import type { OptionType } from '@tetrad/service';
import { isPtmKey, parsePtmKey, type PtmKey } from '@tetrad/types';

/** A party, given by the key of its transaction manager. */
export function ptmKeyOption(): OptionType<PtmKey> {
  return {
    placeholder: 'KEY',
    toml: 'string',
    format: (key) => key,
    parse(text) {
      if (!isPtmKey(text)) throw new RangeError('must be a transaction manager key: base64 of 32 bytes');
      return parsePtmKey(text);
    },
  };
}
