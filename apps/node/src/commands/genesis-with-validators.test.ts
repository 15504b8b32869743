import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@tetrad/types';
import { genesisWithValidators } from './genesis-with-validators.js';

const [A, B] = ['aa', 'bb'].map((byte) => parseAddress(`0x${byte.repeat(20)}`)) as [
  ReturnType<typeof parseAddress>,
  ReturnType<typeof parseAddress>,
];
const transitionsOf = (text: string) =>
  (JSON.parse(text) as { config: { transitions: readonly object[] } }).config.transitions;

describe('a genesis file with a new set of validators', () => {
  it('keeps all else, and adds the first transition', () => {
    const file = {
      config: { chainId: 7, qbft: { epochlength: 9 } },
      extraData: '0x00',
      alloc: { [A]: { balance: '1' } },
    };
    const text = genesisWithValidators(JSON.stringify(file), 12, [A, B]);
    expect(JSON.parse(text)).toEqual({
      ...file,
      config: { ...file.config, transitions: [{ block: 12, validators: [A, B] }] },
    });
  });

  it('has its transitions in ascending order, the new one last among those of its block', () => {
    const transitions = [{ block: 3 }, { block: 12, blockperiodseconds: 2 }, { block: 20 }];
    const text = genesisWithValidators(JSON.stringify({ config: { transitions } }), 12, [A]);
    expect(transitionsOf(text)).toEqual([
      ...transitions.slice(0, 2),
      { block: 12, validators: [A] },
      ...transitions.slice(2),
    ]);
  });

  it('refuses an address that is named twice, and a file whose transitions are no list', () => {
    expect(() => genesisWithValidators('{}', 1, [A, A])).toThrow('--validators');
    expect(() => genesisWithValidators('{"config":{"transitions":{}}}', 1, [A])).toThrow('is not a list');
  });
});
