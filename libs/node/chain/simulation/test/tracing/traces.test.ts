import { describe, expect, it } from '@jest/globals';
import { addressFromWord, type CallRequest, type PreState } from '@tetrad/node-evm';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { assemble } from '../../../evm/test/speed/assemble.js';
import {
  NO_BUDGET,
  TraceBudget,
  TraceTooLargeError,
  countOpcodes,
  countSequences,
  traceCalls,
  traceNothing,
  traceSelectors,
  traceState,
  traceStructLogs,
} from '../../src/index.js';
import { stageOf } from './scenario-stage.js';

const [SENDER, COUNTS, CALLS, LOOPS] = [0x51n, 0xe3n, 0xe6n, 0xe7n].map(addressFromWord) as [
  never,
  never,
  never,
  never,
];

const code = (text: string) => hexFromBytes(assemble(text));

/** COUNTS adds one to slot 0; CALLS calls it with 0x7530 gas, and writes a LOG1 with topic 1. */
const pre: PreState = {
  [SENDER]: { balance: '0xffffffff' },
  [COUNTS]: { code: '0x5f546001015f5500', storage: { '0x0': '0x1' } },
  [CALLS]: { code: `0x5f5f5f5f5f73${String(COUNTS).slice(2)}617530f15060015f5fa100` },
  // 1 kB of memory, and an endless loop.
  [LOOPS]: { code: code('1 0x3e0 MSTORE round: @round JUMP') },
};

const stage = () => stageOf({ fork: 'osaka', pre, request: call() });

function call(request: Partial<CallRequest> = {}): CallRequest {
  return {
    from: SENDER,
    to: CALLS,
    gas: 100_000,
    gasPrice: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
    ...request,
  };
}

const word = (value: number) => value.toString(16).padStart(64, '0');
const NO_REASON = { revertReason: () => undefined, budget: NO_BUDGET };

describe('counts of opcodes', () => {
  const count = (length: 1 | 2 | 3, budget = NO_BUDGET) =>
    countSequences(stage(), call(), { length, budget });

  it('have one for each opcode that began', async () => {
    const { structLogs } = await traceStructLogs(stage(), call(), { budget: NO_BUDGET });
    expect(await countOpcodes(stage(), call())).toBe(structLogs.length);
    const counts: Record<string, number> = {};
    for (const { op } of structLogs) counts[op] = (counts[op] ?? 0) + 1;
    expect(await count(1)).toEqual(counts);
  });

  it('have sequences within one frame, of three from the second opcode on', async () => {
    const pairs = await count(2);
    // PUSH0 follows CALL in the frame of the callee only, and POP follows STOP in none.
    expect(pairs).toMatchObject({ 'PUSH0-SLOAD': 1, 'PUSH2-CALL': 1 });
    expect(Object.keys(pairs)).not.toContain('CALL-PUSH0');
    expect(Object.keys(pairs)).not.toContain('STOP-POP');
    const triples = await count(3);
    // Each frame, and the rest of the caller's, begins with two empty names; the caller's first is PUSH0.
    expect(triples).toMatchObject({ '--PUSH0': 1, '-PUSH0-PUSH0': 1, '--SLOAD': 1, '--PUSH1': 1 });
    expect(Object.keys(triples)).not.toContain('PUSH2-CALL-PUSH0');
  });

  it('are bounded', async () => {
    await expect(count(1, new TraceBudget(100))).rejects.toThrow(TraceTooLargeError);
  });
});

describe('struct logs', () => {
  it('of steps with much memory yield to other work every megabyte, and are the same', async () => {
    // 32 kB of memory, and an endless loop.
    const far = { ...pre, [LOOPS]: { code: code('1 0x7fe0 MSTORE round: @round JUMP') } };
    const request = call({ to: LOOPS, gas: 30_000 });
    const record = async (giveWay: () => Promise<void>, enableMemory: boolean) => {
      const { context, ...rest } = stageOf({ fork: 'osaka', pre: far, request });
      const options = { budget: NO_BUDGET, enableMemory };
      return traceStructLogs({ ...rest, context: { ...context, giveWay } }, request, options);
    };
    let turns = 0;
    const trace = await record(async () => void turns++, true);
    const bytes = trace.structLogs.reduce((sum, { memory = [] }) => sum + memory.length * 69, 0);
    expect(bytes).toBeGreaterThan(50_000_000);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes / 1_100_000));
    const bare = await record(async () => undefined, false);
    expect(trace.structLogs.map(({ memory: _memory, ...log }) => log)).toEqual(bare.structLogs);
    expect(trace.gas).toBe(bare.gas);
  });

  const trace = (request?: Partial<CallRequest>, options = {}) =>
    traceStructLogs(stage(), call(request), { budget: NO_BUDGET, ...options });

  it('show each step with stack, storage and the gas it took', async () => {
    const { structLogs, failed } = await trace();
    expect(failed).toBe(false);
    const find = (name: string) => structLogs.find(({ op }) => op === name);
    expect(find('SLOAD')).toMatchObject({
      pc: 1,
      depth: 2,
      gasCost: 2_100,
      stack: ['0x0'],
      storage: { [word(0)]: word(1) },
    });
    expect(find('SSTORE')).toMatchObject({ gasCost: 2_900, storage: { [word(0)]: word(2) } });
    // A cold call and the gas that it forwards.
    expect(find('CALL')).toMatchObject({ depth: 1, gasCost: 2_600 + 0x7530 });
    for (const [index, { depth, gas, gasCost }] of structLogs.entries()) {
      const next = structLogs[index + 1];
      if (next?.depth === depth) expect(next.gas).toBe(gas - gasCost);
    }
  });

  it('leave out parts that are not requested, and end at the limit', async () => {
    const options = { disableStack: true, disableStorage: true, enableMemory: true, limit: 5 };
    const { structLogs } = await trace({}, options);
    expect(structLogs).toHaveLength(5);
    const first = { pc: 0, op: 'PUSH0', gas: 79_000, gasCost: 2, depth: 1, memory: [] };
    expect(structLogs[0]).toEqual(first);
  });

  it('give the reason of a failed call on its last step, and what that step would have cost', async () => {
    const { failed, structLogs } = await trace({ gas: 26_000 });
    expect(failed).toBe(true);
    expect(structLogs.filter(({ error }) => error !== undefined)).toMatchObject([
      // With no more than the stipend of a call it is not even priced (EIP-2200).
      { op: 'SSTORE', depth: 2, gasCost: 0, error: 'out of gas' },
      { op: 'LOG1', depth: 1, gasCost: 750, error: 'out of gas' },
    ]);
  });

  it('are empty for an account without code, and have an implied STOP behind the end of a code', async () => {
    expect((await trace({ to: addressFromWord(0x77) })).structLogs).toEqual([]);
    const { structLogs } = await trace({ to: undefined, data: bytesFromHex('0x6001') });
    expect(structLogs.map(({ op, pc }) => [op, pc])).toEqual([
      ['PUSH1', 0],
      ['STOP', 2],
    ]);
  });

  it('do not include the deposit of a deployment in the cost of its RETURN', async () => {
    const { structLogs } = await trace({ to: undefined, data: assemble('0x20 0 RETURN') });
    expect(structLogs.at(-1)).toMatchObject({ op: 'RETURN', gasCost: 3 });
  });
});

describe('call frames', () => {
  it('are a tree with logs where they were written', async () => {
    const options = { onlyTopCall: false, withLog: true, ...NO_REASON };
    const frame = await traceCalls(stage(), call(), options);
    expect(frame).toMatchObject({ type: 'CALL', to: CALLS, gas: 100_000n });
    expect(frame.calls).toMatchObject([{ type: 'CALL', from: CALLS, to: COUNTS, gas: 0x7530n }]);
    const log = { address: CALLS, topics: [`0x${word(1)}`], data: new Uint8Array(0), position: 1 };
    expect(frame.logs).toEqual([log]);
  });

  it('of a failed call have no logs', async () => {
    const data = assemble('7 0 0 LOG1 0 0 REVERT');
    const options = { onlyTopCall: false, withLog: true, ...NO_REASON };
    const frame = await traceCalls(stage(), call({ to: undefined, data }), options);
    expect(frame).toMatchObject({ type: 'CREATE', error: 'execution reverted', input: data });
    expect(frame).not.toHaveProperty('logs');
    expect(frame).not.toHaveProperty('to');
  });

  it('of a creation show its init code and the deployed code, and no inner calls with `onlyTopCall`', async () => {
    const data = bytesFromHex('0x60015ff3');
    const options = { onlyTopCall: true, withLog: false, ...NO_REASON };
    const frame = await traceCalls(stage(), call({ to: undefined, data }), options);
    expect(frame).toMatchObject({ type: 'CREATE', input: data, output: Uint8Array.of(0) });
    expect(await traceCalls(stage(), call(), options)).not.toHaveProperty('calls');
  });
});

describe('other traces', () => {
  it('count selectors, except those of precompiles and of inner creations', async () => {
    const data = bytesFromHex('0xa9059cbb0102');
    expect(await traceSelectors(stage(), call({ data }), NO_BUDGET)).toEqual({ '0xa9059cbb-2': 1 });
    const caller = assemble(
      '0x11223344 224 SHL 0 MSTORE 0 0 5 0 0 0xe3 GAS CALL 0 0 8 0 4 GAS STATICCALL STOP',
    );
    const counted = await traceSelectors(stage(), call({ to: undefined, data: caller }), NO_BUDGET);
    expect(Object.keys(counted)).toHaveLength(2);
    expect(counted).toMatchObject({ '0x11223344-1': 1 });
  });

  it('are empty with the noop tracer, which changes the world like any execution', async () => {
    const nothing = stage();
    expect(await traceNothing(nothing, call({ to: COUNTS }))).toEqual({});
    expect(nothing.world.changes()).toMatchObject([{ slots: [{ slot: 0, value: 2 }] }]);
  });

  it('cannot begin with too little gas or too little wei', async () => {
    await expect(traceNothing(stage(), call({ gas: 20_000 }))).rejects.toThrow('intrinsic gas too low');
    const much = call({ value: 2n ** 64n });
    await expect(traceNothing(stage(), much)).rejects.toThrow('insufficient funds for transfer');
  });
});

describe('a budget', () => {
  const budget = () => new TraceBudget(100_000);
  const endless = call({ to: LOOPS, gas: 30_000_000 });

  it.each([
    ['steps', () => traceStructLogs(stage(), endless, { budget: budget() })],
    ['memory', () => traceStructLogs(stage(), endless, { enableMemory: true, budget: budget() })],
    ['calls', () => traceCalls(stage(), manyCalls(), { onlyTopCall: false, withLog: false, ...limited() })],
    ['logs', () => traceCalls(stage(), manyLogs(), { onlyTopCall: false, withLog: true, ...limited() })],
    ['slots', () => traceState(stage(), manySlots(), { diffMode: false, budget: budget() })],
  ])('ends an execution that shows too much: %s', async (_what, trace) => {
    await expect(trace()).rejects.toThrow(TraceTooLargeError);
  });

  it('leaves the world as it was when it is spent', async () => {
    const spent = stage();
    const trace = traceState(spent, manySlots(), { diffMode: true, budget: budget() });
    await expect(trace).rejects.toThrow(TraceTooLargeError);
    expect(spent.world.changes()).toEqual([]);
  });

  const limited = () => ({ revertReason: () => undefined, budget: budget() });
  const program = (body: string) =>
    call({ to: undefined, data: assemble(`round: ${body} @round JUMP`), gas: 30_000_000 });
  const manyCalls = () => program('0 0 0 0 0 0x99 GAS CALL POP');
  const manyLogs = () => program('200 0 LOG0');
  const manySlots = () => program('1 GAS SSTORE');
});
