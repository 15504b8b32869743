import { describe, expect, it } from '@jest/globals';
import { addressFromWord, type CallRequest, type PreState } from '@tetrad/node-evm';
import { hexFromBytes, type Address } from '@tetrad/types';
import { assemble } from '../../../evm/test/speed/assemble.js';
import { NO_BUDGET, TraceBudget, TraceTooLargeError, traceEvmdis } from '../../src/index.js';
import { stageOf } from './scenario-stage.js';

const [SENDER, TOP, CALLEE] = [0x51n, 0xe6n, 0xe7n].map(addressFromWord) as [Address, Address, Address];

const code = (text: string) => hexFromBytes(assemble(text));

const RETURNS = code('0x2a 0 MSTORE8 1 0 RETURN');
/** Stores 0xab, and calls with that byte as input; leaves what the call left. */
const call = (kind: string, value = '') =>
  `0xab 0 MSTORE8 1 0 1 0 ${value} ${String(CALLEE)} 0x7530 ${kind} DUP1 POP STOP`;

function trace(top: string, { callee = RETURNS, budget = NO_BUDGET, gas = 100_000 } = {}) {
  const pre: PreState = {
    [SENDER]: { balance: '0xffffffff' },
    [TOP]: { code: code(top) },
    [CALLEE]: { code: callee },
  };
  const request: CallRequest = {
    from: SENDER,
    to: TOP,
    gas,
    gasPrice: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
  };
  return traceEvmdis(stageOf({ fork: 'berlin', pre, request }), request, budget);
}

describe('evmdisTracer', () => {
  it('has the opcodes with the words that they left', async () => {
    expect(await trace('1 0x102 SWAP1 DUP2 ADD next: POP STOP')).toEqual([
      { op: 0x60, depth: 1, len: 2, result: ['1'] },
      { op: 0x61, depth: 1, len: 3, result: ['102'] },
      { op: 0x90, depth: 1, result: ['1', '102'] },
      { op: 0x81, depth: 1, result: ['102', '1', '102'] },
      { op: 0x01, depth: 1, result: ['103'] },
      { op: 0x5b, depth: 1, pc: 8, result: [] },
      { op: 0x50, depth: 1, result: [] },
      { op: 0x00, depth: 1, result: [] },
    ]);
  });

  it('has the opcodes of a call in it, and leaves out the one behind it', async () => {
    const steps = await trace(call('CALL', '0'));
    expect(steps.map(({ op }) => op)).toEqual([
      0x60, 0x60, 0x53, 0x60, 0x60, 0x60, 0x60, 0x60, 0x60, 0x61, 0xf1,
      // DUP1 is not there.
      0x50, 0x00,
    ]);
    const made = steps.find(({ op }) => op === 0xf1);
    expect(made).toMatchObject({ depth: 1, gas: 0x7530, to: 'e7', value: '0', error: null, result: ['1'] });
    expect([made?.input, made?.return]).toEqual([Uint8Array.of(0xab), Uint8Array.of(0x2a)]);
    expect(made?.ops?.map(({ op, depth }) => [op, depth])).toEqual(
      [0x60, 0x60, 0x53, 0x60, 0x60, 0xf3].map((op) => [op, 2]),
    );
  });

  it('names calls without a value, which have no words', async () => {
    for (const kind of ['DELEGATECALL', 'STATICCALL']) {
      const made = (await trace(call(kind))).find(({ op }) => op === kind);
      expect(made).toMatchObject({ to: 'e7', result: [] });
      expect(made).not.toHaveProperty('value');
      expect([made?.input, made?.return]).toEqual([Uint8Array.of(0xab), Uint8Array.of(0x2a)]);
    }
  });

  it('has a refused opcode as the error of its call, and one that failed without it', async () => {
    const inside = async (callee: string) =>
      (await trace(call('CALL', '0'), { callee: code(callee) })).find(({ op }) => op === 0xf1);
    const refused = await inside('1 POP POP');
    expect(refused).toMatchObject({ error: 'stack underflow (0 <=> 1)', return: null });
    expect(refused?.ops?.map(({ op }) => op)).toEqual([0x60, 0x50]);
    // The memory that it names cannot be paid for.
    expect(await inside('0xffffffffff 0 RETURN')).toMatchObject({ error: 'out of gas', return: null });
    for (const failing of ['0 0 REVERT', '3 JUMP']) {
      const failed = await inside(failing);
      expect(failed).toMatchObject({ error: null, return: null });
      expect(failed?.ops).toHaveLength(failing.split(' ').length);
    }
    expect(await inside('STOP')).toMatchObject({ error: null, return: new Uint8Array(0) });
  });

  it('leaves out the opcodes of creations', async () => {
    const steps = await trace('0x5b600055 0 MSTORE 4 28 0 CREATE POP STOP');
    expect(steps.map(({ op }) => op)).toEqual([0x63, 0x60, 0x52, 0x60, 0x60, 0x60, 0xf0, 0x50, 0x00]);
  });

  it('is bounded', async () => {
    const loop = 'again: 1 POP @again JUMP';
    await expect(trace(loop, { budget: new TraceBudget(10_000) })).rejects.toThrow(TraceTooLargeError);
    const large = trace(call('CALL', '0'), {
      callee: code('2000 0 RETURN'),
      budget: new TraceBudget(10_000),
    });
    await expect(large).rejects.toThrow(TraceTooLargeError);
  });
});
