import { POINT_BYTES, decodePoint, encodePoint, type Point } from '@tetrad/rollup-crypto';
import type { OptionType } from '@tetrad/service';
import { bytesFromHex, hexFromBytes, isAddress, isHex, parseAddress, type Address } from '@tetrad/types';

export function contractOption(): OptionType<Address> {
  return {
    placeholder: 'ADDRESS',
    toml: 'string',
    format: (address) => address,
    parse(text) {
      if (!isAddress(text)) throw new RangeError('must be an Ethereum address: 0x and 40 hex digits');
      return parseAddress(text);
    },
  };
}

/** A public key as the methods take it. */
export function pointOption(): OptionType<Point> {
  return {
    placeholder: 'KEY',
    toml: 'string',
    format: (point) => hexFromBytes(encodePoint(point)),
    parse(text) {
      const point =
        isHex(text) && text.length === 2 + 2 * POINT_BYTES ? decodePoint(bytesFromHex(text)) : undefined;
      if (point === undefined)
        throw new RangeError('must be a point of Grumpkin: 0x and 128 hex digits, x then y');
      return point;
    },
  };
}
