import { describe, expect, it } from '@jest/globals';
import { parseTokenOptions } from './token-options.js';

const WORDS = ['--key-file', 'key.pem', '--caller', 'alice', '--permissions', 'eth_*,net_version'];

describe('the options of token new', () => {
  it('are a key, a caller, methods, and thirty days', () => {
    expect(parseTokenOptions(WORDS)).toEqual({
      keyFile: 'key.pem',
      caller: 'alice',
      permissions: ['eth_*', 'net_version'],
      lifetimeSeconds: 30 * 86_400,
      accounts: undefined,
      issuer: undefined,
      audience: undefined,
    });
    expect(parseTokenOptions([...WORDS, '--accounts', '4,268435455'])).toMatchObject({
      accounts: [4, 268_435_455],
    });
    const more = ['--lifetime', '12h', '--issuer', 'us', '--audience', 'node0'];
    expect(parseTokenOptions([...WORDS, ...more])).toMatchObject({
      lifetimeSeconds: 43_200,
      issuer: 'us',
      audience: 'node0',
    });
  });

  it.each([
    [['--caller', 'alice', '--permissions', '*'], '--key-file is required'],
    [['--key-file', 'k', '--permissions', '*'], '--caller is required'],
    [['--key-file', 'k', '--caller', 'alice'], '--permissions is required'],
    [['--key-file', 'k', '--caller', 'alice', '--permissions', 'eth_*,'], '--permissions:  is not a method'],
    [[...WORDS, '--lifetime', '30'], '--lifetime: 30 is not a time such as'],
    [[...WORDS, '--lifetime', '3651d'], '--lifetime: 3651d is not a time such as'],
    [[...WORDS, '--accounts', '4,0'], '--accounts: 0 is not the id of an account'],
    [[...WORDS, '--accounts', '4,'], '--accounts:  is not the id of an account'],
    [[...WORDS, '--caller', 'bob'], '--caller: given twice'],
  ])('are refused by name: %j', (words, message) => {
    expect(() => parseTokenOptions(words)).toThrow(message);
  });
});
