import { describe, expect, it } from '@jest/globals';
import { addressFromWord, executeCall, hashFromWord, type CallRequest } from '@tetrad/node-evm';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { COINBASE } from '../../../evm/test/fuzz/oracle.js';
import { scenarioOf, type Scenario } from '../../../evm/test/fuzz/random-world.js';
import { assemble } from '../../../evm/test/speed/assemble.js';
import { createAccessList } from '../../src/index.js';
import { stageOf } from './scenario-stage.js';

const [SENDER, CONTRACT, OTHER] = [0x51n, 0xc0den, 0xbeefn].map(addressFromWord) as [never, never, never];

function scenario(text: string, request: Partial<CallRequest> = {}, other = ''): Scenario {
  const code = (source: string) => hexFromBytes(source === '' ? new Uint8Array(0) : assemble(source));
  return {
    fork: 'osaka',
    pre: {
      [SENDER]: { balance: '0xffff' },
      [CONTRACT]: { nonce: '0x1', code: code(text) },
      [OTHER]: { nonce: '0x1', code: code(other) },
    },
    request: {
      from: SENDER,
      to: CONTRACT,
      gas: 1_000_000,
      gasPrice: 0n,
      value: 0n,
      accessList: [],
      data: new Uint8Array(0),
      ...request,
    },
  };
}

const listOf = async (of: Scenario) => (await createAccessList(stageOf(of), of.request)).accessList;
const entry = (address: Address, ...slots: number[]) => ({ address, storageKeys: slots.map(hashFromWord) });

describe('an access list', () => {
  it('names accounts and slots that are touched, also in frames that fail', async () => {
    const other = '7 SLOAD POP 0 0 REVERT';
    const touches = scenario('5 SLOAD POP 0 0 0 0 0 0xbeef GAS CALL 1 2 SSTORE STOP', {}, other);
    expect(await listOf(touches)).toEqual([entry(CONTRACT, 5, 2), entry(OTHER, 7)]);
  });

  it('leaves out accounts that are warm from the start, unless they have slots', async () => {
    const warm = `${BigInt(COINBASE)} BALANCE POP 0x51 BALANCE POP 0xc0de EXTCODESIZE POP
      0 0 0 0 4 GAS STATICCALL STOP`;
    expect(await listOf(scenario(warm))).toEqual([]);
    // Before Shanghai the coinbase is as cold as any other account.
    expect(await listOf({ ...scenario(warm), fork: 'london' })).toEqual([entry(COINBASE)]);
  });

  it('leaves out the address of a creation, and keeps the given entries', async () => {
    const init = assemble('1 SLOAD POP 0xbeef BALANCE POP STOP');
    const given = [entry(OTHER, 3)];
    const list = await listOf(scenario('STOP', { to: undefined, data: init, accessList: given }));
    expect(list.map(({ storageKeys }) => storageKeys)).toEqual([[hashFromWord(3)], [hashFromWord(1)]]);
    expect(list[0]?.address).toBe(OTHER);
  });

  it('is that of a call that runs with the list, as is its gas', async () => {
    // Touches slot 1 only while slot 2 is cold, and slot 9 only when it is warm.
    const shy = `GAS 2 SLOAD POP GAS SWAP1 SUB 1000 LT @cold JUMPI 9 SLOAD POP STOP cold: 1 SLOAD POP STOP`;
    const run = scenario(shy);
    const { accessList, outcome } = await createAccessList(stageOf(run), run.request);
    expect(accessList).toEqual([entry(CONTRACT, 2, 1, 9)]);
    const { context, world } = stageOf(run);
    expect(await executeCall(context, { ...run.request, accessList }, world)).toEqual(outcome);
  });

  it('ends when each run touches something else, and leaves the world as it is', async () => {
    // Each warm slot changes the remaining gas, which determines the slot.
    const restless = scenario('GAS SLOAD POP 1 0 SSTORE STOP');
    const stage = stageOf(restless);
    const { accessList } = await createAccessList(stage, restless.request);
    expect(accessList[0]?.storageKeys.length).toBeLessThanOrEqual(17);
    expect(stage.world.changes()).toEqual([]);
  });

  it('makes its entries warm, on random programs', async () => {
    for (let seed = 60_000; seed < 60_150; seed++) {
      const random = { ...scenarioOf(seededRandom(seed)), fork: 'osaka' } as const;
      const request = { ...random.request, gas: 2_000_000 };
      const { accessList, outcome } = await createAccessList(stageOf(random), request);
      const { context, world } = stageOf(random);
      expect(await executeCall(context, { ...request, accessList }, world)).toEqual(outcome);
    }
  });
});
