import { describe, expect, it } from '@jest/globals';
import { OptionError } from '@tetrad/service';
import { gweiText, parseGasPrice } from './gas-price.js';

const FLAG = '--max-fee-per-gas';
const parse = (text: string) => parseGasPrice(text, FLAG);

describe('a price of gas', () => {
  it('is in gwei where it says so, and otherwise in wei', () => {
    const texts = ['20gwei', '1.5gwei', '0.000000001gwei', '7', '7wei', '1000000000'];
    expect(texts.map(parse)).toEqual([20_000_000_000n, 1_500_000_000n, 1n, 7n, 7n, 1_000_000_000n]);
  });

  it.each(['', 'gwei', '20 gwei', '1.5', '1.5wei', '-1', '0x10', '1e9', '1.0000000001gwei', '20ether'])(
    'is refused as %j, with the name of the option',
    (text) => {
      expect(() => parse(text)).toThrow(OptionError);
      expect(() => parse(text)).toThrow(FLAG);
    },
  );

  it.each(['0', '0gwei', '0.0gwei'])('is more than %s', (text) => {
    expect(() => parse(text)).toThrow('more than 0');
  });

  it('is said in gwei, exactly', () => {
    expect([1n, 1_000_000_000n, 20_500_000_000n].map(gweiText)).toEqual([
      '0.000000001 gwei',
      '1 gwei',
      '20.5 gwei',
    ]);
  });
});
