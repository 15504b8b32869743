import { expect, it } from '@jest/globals';
import { precompiles } from '@tetrad/node-precompiles';
import { leftOut, runStateTest, type StateTest } from './state-test.js';

const SENDER = '0xa94f5374fce5edbc8e2a8697c15331677e6ebf0b';
const ZERO = `0x${'00'.repeat(20)}`;

/** A transfer in the form of the published files. */
function transfer(changes: Partial<StateTest['transaction']>): StateTest {
  return {
    env: {
      currentNumber: '0x1',
      currentTimestamp: '0x3e8',
      currentCoinbase: ZERO,
      currentGasLimit: '0xffffff',
      currentDifficulty: '0x1',
    },
    pre: { [SENDER]: { balance: '0xffffffff', nonce: '0x0', code: '0x', storage: {} } },
    transaction: {
      data: ['0x'],
      gasLimit: ['0x5208'],
      value: ['0x1'],
      nonce: '0x0',
      gasPrice: '0xa',
      to: ZERO,
      secretKey: '0x45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8',
      ...changes,
    },
    post: {},
  };
}

const post = { hash: '0x', logs: '0x', indexes: { data: 0, gas: 0, value: 0 } };
const TOO_LARGE = `0x:bigint 0x1${'00'.repeat(31)}01`;

it('reads quantities that the published files mark as large', async () => {
  const test = transfer({ value: ['0x:bigint 0x01'], gasLimit: ['0x:bigint 0x5208'] });
  expect(leftOut('a.json', test, post)).toBeUndefined();
  const { invalid, effects } = await runStateTest(test, { fork: 'london', post, precompiles });
  expect({ invalid, gasUsed: Number(effects?.gasUsed) }).toEqual({ invalid: undefined, gasUsed: 21_000 });
});

it.each<Partial<StateTest['transaction']>>([{ value: [TOO_LARGE] }, { gasPrice: TOO_LARGE }])(
  'takes a transaction that has more than 256 bits somewhere for one that is refused: %j',
  async (changes) => {
    const { invalid, effects } = await runStateTest(transfer(changes), { fork: 'london', post, precompiles });
    expect(invalid?.message).toMatch(/more than 256 bits/);
    expect(effects).toBeUndefined();
  },
);
