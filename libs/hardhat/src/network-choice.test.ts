import { describe, expect, it } from '@jest/globals';
import type { HardhatRuntime, HttpNetwork } from './hardhat-types.js';
import { chooseNetwork } from './network-choice.js';

const network = (from: string) => ({ type: 'http', from }) as unknown as HttpNetwork;
const choose = (networks: HardhatRuntime['config']['networks'], option?: string, named?: string) =>
  chooseNetwork({ config: { networks }, globalOptions: { network: option } }, named).from;

describe('the network of a private contract', () => {
  const one = { default: { type: 'edr-simulated' }, localhost: network('l'), mine: network('m') } as const;
  const two = { ...one, other: network('o') };

  it('is the only one that is configured, whatever Hardhat adds', () => {
    expect(choose(one)).toBe('m');
    expect(choose(one, '')).toBe('m');
  });

  it('is the one of --network, and before that the one of the call', () => {
    expect(choose(two, 'other')).toBe('o');
    expect(choose(two, 'other', 'mine')).toBe('m');
    expect(choose(one, 'localhost')).toBe('l');
  });

  it.each([
    ['several', two, undefined, 'network: is needed, by --network or in the call: localhost, mine, other'],
    [
      'none',
      { localhost: network('l') },
      undefined,
      'network: is needed, by --network or in the call: localhost',
    ],
    [
      'a simulated one',
      one,
      'default',
      'default: is no network of type http in the configuration (localhost, mine)',
    ],
  ] as const)('is refused for %s', (_, networks, option, message) => {
    expect(() => choose(networks, option)).toThrow(message);
  });
});
