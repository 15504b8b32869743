import { describe, expect, it } from '@jest/globals';
import { addressFromWord, type CallRequest, type PreState } from '@tetrad/node-evm';
import { hexFromBytes } from '@tetrad/types';
import { assemble } from '../../evm/test/speed/assemble.js';
import { flattenFrames } from '../src/flat/flatten-frames.js';
import { recordFlat } from '../src/flat/record-flat.js';
import { NO_BUDGET, TraceBudget, TraceTooLargeError, type CallFrame } from '../src/index.js';
import { stageOf } from './tracing/scenario-stage.js';

const [SENDER, CALLS, RECURS] = [0x51n, 0xe6n, 0xe7n].map(addressFromWord) as [never, never, never];

const code = (text: string) => hexFromBytes(assemble(text));

/** Code that calls an address with 0x7530 gas. */
const calling = (address: number, value = 0) => `0 0 0 0 ${value} ${address} 0x7530 CALL POP`;

const FAILING: Readonly<Record<number, readonly [string, string]>> = {
  0xf0: ['0xfe', 'Bad instruction'],
  0xf1: ['0x5b5f56', 'Out of gas'],
  0xf2: ['0x600556', 'Bad jump destination'],
  0xf3: ['0x50', 'Stack underflow'],
  0xf4: ['0x602a5f5260205ffd', 'Reverted'],
  0xf5: ['0x5f60015f3e', 'Out of bounds'],
};

const pre: PreState = {
  [SENDER]: { balance: '0xffffffff' },
  [CALLS]: {
    code: code(
      [...Object.keys(FAILING).map((address) => calling(Number(address))), calling(4), calling(2, 9)].join(
        ' ',
      ),
    ),
  },
  // Calls itself with all its gas.
  [RECURS]: { code: code('0 0 0 0 0 ADDRESS GAS CALL POP STOP') },
  ...Object.fromEntries(
    Object.entries(FAILING).map(([address, [text]]) => [addressFromWord(BigInt(address)), { code: text }]),
  ),
};

const call = (request: Partial<CallRequest> = {}): CallRequest => ({
  from: SENDER,
  to: CALLS,
  gas: 1_000_000,
  gasPrice: 0n,
  value: 0n,
  data: new Uint8Array(0),
  accessList: [],
  ...request,
});
const stage = (request: CallRequest) => stageOf({ fork: 'osaka', pre, request });
const record = async (request: CallRequest, budget = NO_BUDGET, withState = false) => {
  const { top, ...recorded } = await recordFlat(stage(request), request, { budget, withState });
  return { ...recorded, trace: flattenFrames(top, budget) };
};

const frame = (calls: CallFrame[]): CallFrame => ({
  type: 'CALL',
  from: SENDER,
  to: CALLS,
  gas: 1n,
  gasUsed: 0n,
  input: new Uint8Array(0),
  calls,
});

describe('a flat trace', () => {
  it("names failures in OpenEthereum's words, with a result for a revert alone", async () => {
    const { trace } = await record(call());
    const failures = Object.values(FAILING).map(([, words]) => words);
    expect(trace.slice(1, 1 + failures.length).map(({ error }) => error)).toEqual(failures);
    const withResult = trace.slice(1).filter(({ result }) => result !== null);
    expect(withResult.map(({ error }) => error)).toEqual(['Reverted']);
  });

  it('leaves out calls to precompiles that move no wei', async () => {
    const { trace } = await record(call());
    const called = trace.slice(1).map((one) => (one.type === 'call' ? one.action.to : undefined));
    expect(called).not.toContain(addressFromWord(4n));
    // The other could not start: its caller has no wei.
    expect(called.at(-1)).toBe(addressFromWord(2n));
    expect(trace.at(-1)).toMatchObject({ error: 'insufficient balance for transfer', result: null });
    expect(trace[0]).toMatchObject({ subtraces: trace.length - 1, traceAddress: [] });
  });

  it('has each call before those that it made', () => {
    const tree = frame([frame([frame([]), frame([])]), frame([])]);
    expect(flattenFrames(tree, NO_BUDGET).map(({ traceAddress }) => traceAddress)).toEqual([
      [],
      [0],
      [0, 0],
      [0, 1],
      [1],
    ]);
  });

  it('is bounded by the depths of its calls, which each of them repeats', async () => {
    // 1,000 calls below one another are half a million indexes.
    const deep = call({ to: RECURS, gas: 30_000_000_000_000 });
    await expect(record(deep, new TraceBudget(1_000_000))).rejects.toThrow(TraceTooLargeError);
    const { trace } = await record(deep, new TraceBudget(3_000_000));
    expect(trace.length).toBeGreaterThan(1_000);
    expect(trace.at(-1)).toMatchObject({ error: 'max call depth exceeded' });
  });
});

describe('changes of the state', () => {
  it('are those of accounts that came to be, changed and ceased to be', async () => {
    const slot = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
    const to = addressFromWord(0xabcdn);
    const request = call({ to, value: 3n });
    const { stateDiff } = await record(request, NO_BUDGET, true);
    expect(stateDiff?.get(to)).toMatchObject({
      balance: { '+': 3n },
      nonce: { '+': 0n },
      storage: new Map(),
    });
    expect(stateDiff?.get(SENDER)).toMatchObject({
      balance: { '*': { from: 0xffffffffn, to: 0xfffffffcn } },
      code: '=',
    });
    const writes = call({ to: undefined, data: assemble('7 1 SSTORE') });
    const created = (await record(writes, NO_BUDGET, true)).stateDiff;
    const [address, changes] = [...(created ?? [])].find(([, { storage }]) => storage.size > 0) ?? [];
    expect(address).toBeDefined();
    expect(changes?.storage).toEqual(new Map([[slot(1), { '+': slot(7) }]]));
  });

  it('leave out what was read only', async () => {
    const { stateDiff } = await record(call(), NO_BUDGET, true);
    expect([...(stateDiff?.keys() ?? [])]).toEqual([]);
  });
});
