import { describe, expect, it } from '@jest/globals';
import { flagOf, loadConfig, parseCommandLine } from '@tetrad/service';
import fc from 'fast-check';
import { eth1Options } from './eth1-options.js';
import { Web3signerWords } from './web3signer-words.js';

/** Words that could be taken for commands, or for flags. */
const value = fc.constantFrom('eth1', 'eth2', 'filecoin', 'help', 'multikey-signer', 'true', '9', 'a=b');
const options = Object.entries(eth1Options);

/** A flag in one of the ways in which it may be written, as words. */
const flag: fc.Arbitrary<readonly string[]> = fc
  .tuple(fc.constantFrom(...options), value, fc.nat())
  .map(([[key, { type }], text, way]) => {
    const ways =
      type.toml === 'boolean'
        ? [[flagOf(key)], [flagOf(key), 'true'], [`${flagOf(key)}=false`]]
        : [[flagOf(key), text], [`${flagOf(key)}=${text}`]];
    return ways[way % ways.length] ?? [];
  });

describe('the command eth1', () => {
  it('may stand between any two flags, and takes nothing else with it', () => {
    fc.assert(
      fc.property(fc.array(flag, { maxLength: 8 }), fc.array(flag, { maxLength: 8 }), (before, behind) => {
        const words = new Web3signerWords(eth1Options);
        const argv = [...before.flat(), 'eth1', ...behind.flat()];
        expect(words.areOf(argv)).toBe(true);
        expect(words.translateArguments(argv)).toEqual([...before.flat(), ...behind.flat()]);
        expect(words.areOf([...before.flat(), ...behind.flat()])).toBe(false);
        expect(words.withoutEffect).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has the defaults of web3signer where nothing is said', () => {
    const commandLine = parseCommandLine(['--chain-id', '9'], eth1Options);
    const config = loadConfig({ service: 'signer', options: eth1Options, commandLine, environment: {} });
    expect(config).toMatchObject({
      httpListenHost: '127.0.0.1',
      httpListenPort: 9000,
      metricsPort: 9001,
      downstreamHttpHost: '127.0.0.1',
      downstreamHttpPort: 8545,
      downstreamHttpRequestTimeout: 5_000,
      httpHostAllowlist: ['localhost', '127.0.0.1'],
      httpCorsOrigins: 'none',
    });
  });
});
