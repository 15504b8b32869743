import { beforeEach, describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { Chain, transfer } from '../testing/chain.js';
import { traceCalls } from './trace-calls.js';
import { traceTransaction } from './trace.js';

/** SLOAD 0, add 1, SSTORE 0, stop. */
const COUNTS = parseAddress(`0x${'e3'.repeat(20)}`);
/** CALL COUNTS with 0x7530 gas, then LOG1 of no data with topic 1, stop. */
const CALLS = parseAddress(`0x${'e6'.repeat(20)}`);
const word = (value: number) => value.toString(16).padStart(64, '0');

describe('traces', () => {
  let chain: Chain;

  beforeEach(async () => {
    chain = await Chain.start({
      alloc: {
        [COUNTS]: { code: '0x5f546001015f5500', storage: { '0x0': '0x1' } },
        [CALLS]: { code: `0x5f5f5f5f5f73${COUNTS.slice(2)}617530f15060015f5fa100` },
      },
    });
  });

  const call = (gasLimit = 100_000n) => transfer({ to: CALLS, gasLimit });

  it('record each step with stack, storage and the gas it took', async () => {
    const trace = await traceTransaction(chain.simulation(), call());
    const effects = await chain.run(call());
    expect(trace).toMatchObject({ gas: effects.gasUsed, failed: false });
    const sload = trace.structLogs.find(({ op }) => op === 'SLOAD');
    expect(sload).toMatchObject({
      pc: 1,
      depth: 2,
      gasCost: 2_100,
      stack: ['0x0'],
      storage: { [word(0)]: word(1) },
    });
    const sstore = trace.structLogs.find(({ op }) => op === 'SSTORE');
    expect(sstore).toMatchObject({ gasCost: 2_900, stack: ['0x2', '0x0'], storage: { [word(0)]: word(2) } });
    // A cold call and what it hands on.
    expect(trace.structLogs.find(({ op }) => op === 'CALL')).toMatchObject({
      depth: 1,
      gasCost: 2_600 + 0x7530,
    });
    for (const [index, { depth, gas, gasCost }] of trace.structLogs.entries()) {
      const next = trace.structLogs[index + 1];
      if (next?.depth === depth) expect(next.gas).toBe(gas - gasCost);
    }
  });

  it('leave out what is not asked for, and end at the limit', async () => {
    const trace = await traceTransaction(chain.simulation(), call(), {
      disableStack: true,
      disableStorage: true,
      enableMemory: true,
      limit: 5,
    });
    expect(trace.structLogs).toHaveLength(5);
    expect(trace.structLogs[0]).toEqual({
      pc: 0,
      op: 'PUSH0',
      gas: 79_000,
      gasCost: 2,
      depth: 1,
      memory: [],
    });
  });

  it('say why a call failed, on its last step', async () => {
    const trace = await traceTransaction(chain.simulation(), call(26_000n));
    expect(trace.failed).toBe(true);
    expect(trace.structLogs.filter(({ error }) => error !== undefined)).toMatchObject([
      { op: 'SSTORE', depth: 2, error: 'out of gas' },
      { op: 'LOG1', depth: 1, error: 'out of gas' },
    ]);
  });

  it('show calls as a tree with logs where they were written', async () => {
    const frame = await traceCalls(chain.simulation(), call(), {
      onlyTopCall: false,
      withLog: true,
      revertReason: () => undefined,
    });
    expect(frame).toMatchObject({ type: 'CALL', to: CALLS, gas: 100_000n });
    expect(frame.calls).toMatchObject([{ type: 'CALL', from: CALLS, to: COUNTS, gas: 0x7530n }]);
    expect(frame.logs).toEqual([
      { address: CALLS, topics: [`0x${word(1)}`], data: new Uint8Array(0), position: 1 },
    ]);
  });

  it('of a creation show its init code and what it deployed', async () => {
    const data = bytesFromHex('0x60015ff3');
    const frame = await traceCalls(chain.simulation(), transfer({ data, gasLimit: 100_000n }), {
      ...{ onlyTopCall: false, withLog: false, revertReason: () => undefined },
    });
    expect(frame).toMatchObject({ type: 'CREATE', input: data });
    expect(hexFromBytes(frame.output ?? new Uint8Array(0))).toBe('0x00');
  });
});
