import { describe, expect, it } from '@jest/globals';
import { multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { bytesFromHex, parseAddress, type Hex } from '@tetrad/types';
import { AbiCoder, ParamType } from 'ethers/abi';
import { immutableOf, readDeploymentTerms } from './deployment-terms.js';
import { loadKnownContracts } from './known-contracts.js';

const address = parseAddress(`0x${'c0'.repeat(20)}`);
const { x, y } = multiplyGenerator(3n);
const sized = [
  [2n, `0x${'22'.repeat(20)}`],
  [1n, `0x${'11'.repeat(20)}`],
];
const FREEZE = [address, [x, y], [86_400n, 300n, 1_500n, 10n ** 9n, 7n], sized];
const TURNS = [address, [x, y], 3_600n, 32n, 10n ** 9n, 1n, sized];

async function takesOf(version: string): Promise<string> {
  const found = (await loadKnownContracts()).rollups.find((each) => each.version === version);
  return found?.takes ?? '';
}
const encoded = (takes: string, values: readonly unknown[]) =>
  bytesFromHex(AbiCoder.defaultAbiCoder().encode(ParamType.from(takes).components ?? [], values) as Hex);

describe('what a contract was deployed with', () => {
  it('is read from the arguments of its creation, of each version', async () => {
    const takes = await takesOf('present');
    expect(readDeploymentTerms(takes, encoded(takes, FREEZE))).toEqual({
      operator: address,
      operatorKey: { x, y },
      stallTimeout: 86_400n,
      requestsPerTimeout: 300n,
      depositsPerTimeout: 1_500n,
      etherUnit: 10n ** 9n,
      minDeposit: 7n,
      turnBlocks: undefined,
      verifiers: [
        { size: 2n, verifier: `0x${'22'.repeat(20)}` },
        { size: 1n, verifier: `0x${'11'.repeat(20)}` },
      ],
    });
    const earlier = await takesOf('with turns');
    expect(readDeploymentTerms(earlier, encoded(earlier, TURNS))).toMatchObject({
      stallTimeout: 3_600n,
      turnBlocks: 32n,
      requestsPerTimeout: undefined,
    });
  });

  it('is nothing that no deployment writes', async () => {
    const takes = await takesOf('present');
    const good = encoded(takes, FREEZE);
    const dirty = Uint8Array.from(good);
    // Above the address of the operator, where the compiler's decoder wants zeros.
    dirty[0] = 1;
    const many = Array.from({ length: 65 }, (_, index) => [BigInt(index), address]);
    const wrong: [string, Uint8Array][] = [
      ['nothing', new Uint8Array()],
      ['cut', good.subarray(0, -1)],
      ['a word more', Uint8Array.of(...good, ...new Uint8Array(32))],
      ['an unused bit', dirty],
      ['a key off the curve', encoded(takes, FREEZE.with(1, [x, y + 1n]))],
      ['too many verifiers', encoded(takes, FREEZE.with(3, many))],
      ['a later offset', encoded(takes, FREEZE).fill(0xff, 8 * 32, 9 * 32)],
    ];
    for (const [name, data] of wrong)
      expect([name, readDeploymentTerms(takes, data)]).toEqual([name, undefined]);
  });

  it('says what every immutable of every version must be', async () => {
    const { rollups } = await loadKnownContracts();
    for (const { version, takes, code } of rollups) {
      const values = version === 'with turns' ? TURNS : FREEZE;
      const terms = readDeploymentTerms(takes, encoded(takes, values));
      for (const name of Object.keys(code.words))
        expect([name, immutableOf(name, terms!, { chainId: 7n, address })]).toEqual([
          name,
          expect.any(BigInt),
        ]);
      expect(immutableOf('domain', terms!, { chainId: 7n, address })).toBe(rollupDomain(7n, address));
    }
  });
});
