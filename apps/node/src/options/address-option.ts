import type { OptionType } from '@tetrad/service';
import { isAddress, parseAddress, type Address } from '@tetrad/types';

/** An account, given by its address. */
export function addressOption(): OptionType<Address> {
  return {
    placeholder: 'ADDRESS',
    toml: 'string',
    format: (address) => address,
    parse(text) {
      if (!isAddress(text)) throw new RangeError('must be an address: 0x and 40 hex digits');
      return parseAddress(text);
    },
  };
}
