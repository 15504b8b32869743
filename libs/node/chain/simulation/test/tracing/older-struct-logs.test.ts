import { describe, expect, it } from '@jest/globals';
import { addressFromWord, type CallRequest, type PreState } from '@tetrad/node-evm';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import { scenarioOf, type Scenario } from '../../../evm/test/fuzz/random-world.js';
import { assemble } from '../../../evm/test/speed/assemble.js';
import {
  NO_BUDGET,
  TraceBudget,
  TraceTooLargeError,
  traceOlderStructLogs,
  traceStructLogs,
  type StructLogOptions,
} from '../../src/index.js';
import { stageOf } from './scenario-stage.js';

const [SENDER, TOP, CALLEE] = [0x51n, 0xe6n, 0xe7n].map(addressFromWord) as [Address, Address, Address];

const code = (text: string) => hexFromBytes(assemble(text));
const word = (value: number) => value.toString(16).padStart(64, '0');

function trace(top: string, callee: string, options: StructLogOptions = {}, budget = NO_BUDGET) {
  const pre: PreState = {
    [SENDER]: { balance: '0xffffffff' },
    [TOP]: { code: code(top), storage: { '0x1': '0x2a' } },
    [CALLEE]: { code: code(callee) },
  };
  const request: CallRequest = {
    from: SENDER,
    to: TOP,
    gas: 100_000,
    gasPrice: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
  };
  const stage = stageOf({ fork: 'berlin', pre, request });
  return traceOlderStructLogs(stage, request, { enableMemory: true, ...options, budget });
}

const CALLS = `1 SLOAD POP 0 0 0 0 0 ${String(CALLEE)} 0x7530 CALL STOP`;

describe('struct logs of geth 1.10', () => {
  it('have the storage of the contract on every step', async () => {
    const { structLogs } = await trace(CALLS, '7 3 SSTORE STOP');
    const storage = (depth: number) =>
      structLogs.filter((log) => log.depth === depth).map((log) => log.storage);
    const read = { [word(1)]: word(0x2a) };
    expect(storage(1)).toEqual([{}, ...new Array<object>(11).fill(read)]);
    expect(storage(2)).toEqual([{}, {}, { [word(3)]: word(7) }, { [word(3)]: word(7) }]);
    const hidden = await trace(CALLS, 'STOP', { disableStorage: true });
    expect(hidden.structLogs.filter((log) => log.storage !== undefined)).toEqual([]);
  });

  it('have the memory as large as the opcode makes it, and its older names', async () => {
    const { structLogs } = await trace('7 32 MSTORE 64 64 KECCAK256 PREVRANDAO 32 96 RETURN', 'STOP');
    expect(structLogs.map(({ op, memory }) => [op, memory])).toEqual([
      ['PUSH1', []],
      ['PUSH1', []],
      ['MSTORE', [word(0), word(0)]],
      ['PUSH1', [word(0), word(7)]],
      ['PUSH1', [word(0), word(7)]],
      ['SHA3', [word(0), word(7), word(0), word(0)]],
      ['DIFFICULTY', [word(0), word(7), word(0), word(0)]],
      ['PUSH1', [word(0), word(7), word(0), word(0)]],
      ['PUSH1', [word(0), word(7), word(0), word(0)]],
      ['RETURN', [word(0), word(7), word(0), word(0)]],
    ]);
  });

  it('have an error on a refused opcode alone, which enlarges nothing', async () => {
    const last = async (callee: string) =>
      (await trace(CALLS, callee)).structLogs.filter(({ depth }) => depth === 2).at(-1);
    expect(await last('POP')).toMatchObject({ op: 'POP', error: 'stack underflow (0 <=> 1)' });
    const unpayable = await last('0xffffff 0 RETURN');
    expect(unpayable).toMatchObject({ op: 'RETURN', error: 'out of gas', memory: [] });
    for (const failing of ['3 JUMP', '0 0 REVERT']) expect(await last(failing)).not.toHaveProperty('error');
  });

  it('have otherwise what those of later versions have', async () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const scenario: Scenario = scenarioOf(seededRandom(seed));
      const options = { enableMemory: true, budget: NO_BUDGET };
      const older = await traceOlderStructLogs(stageOf(scenario), scenario.request, options);
      const later = await traceStructLogs(stageOf(scenario), scenario.request, options);
      const rest = (logs: typeof later.structLogs) =>
        logs.map(({ pc, gas, gasCost, depth, stack, refund }) => ({
          pc,
          gas,
          gasCost,
          depth,
          stack,
          refund,
        }));
      expect(rest(older.structLogs)).toEqual(rest(later.structLogs));
      for (const [at, { memory, error }] of older.structLogs.entries()) {
        const [now, next] = later.structLogs.slice(at, at + 2);
        const before = now?.memory ?? [];
        expect(memory?.slice(0, before.length)).toEqual(before);
        if (error !== undefined) expect(memory).toEqual(before);
        else if (next?.depth === now?.depth) expect(memory).toHaveLength(next?.memory?.length ?? 0);
      }
    }
  });

  it('are bounded, storage and memory included', async () => {
    const stores = `${Array.from({ length: 9 }, (_, slot) => `1 0x${(slot + 20).toString(16)} SLOAD POP POP`).join(' ')} again: @again JUMP`;
    const logs = (options: StructLogOptions) =>
      trace(stores, 'STOP', { disableStack: true, limit: 200, ...options }, new TraceBudget(120_000));
    await expect(logs({})).rejects.toThrow(TraceTooLargeError);
    expect((await logs({ disableStorage: true })).structLogs).toHaveLength(200);
    const grows = trace('0 0xffff MSTORE STOP', 'STOP', {}, new TraceBudget(50_000));
    await expect(grows).rejects.toThrow(TraceTooLargeError);
  });
});
