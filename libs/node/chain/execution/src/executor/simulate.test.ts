import { beforeAll, describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress, parseHash, type Address } from '@tetrad/types';
import { Chain, OWNER, transfer } from '../testing/chain.js';
import { estimateGas } from './estimate-gas.js';
import { ExecutionAbortedError } from '@tetrad/node-evm';
import { applyOverrides, type AccountOverride } from './state-overrides.js';
import { call } from './simulate.js';

const at = (byte: string) => parseAddress(`0x${byte.repeat(20)}`);
const STRANGER = at('5a');
/** Reverts with the four bytes deadbeef. */
const REVERTS = at('e1');
/** Returns three words: slot 0, its balance and its caller. */
const READS = at('e2');
/** Adds one to slot 0. */
const COUNTS = at('e3');
/** JUMPDEST, PUSH0, JUMP. */
const LOOPS = at('e4');
/** Calls itself twice and never jumps. */
const RECURSES = at('e5');
/** Calls COUNTS with all gas; CALL, JUMPI over an invalid opcode when that went well. */
const FORWARDS = at('e6');

const alloc = {
  [REVERTS]: { code: '0x63deadbeef5f526004601cfd' },
  [READS]: { code: '0x5f545f52476020523360405260605ff3', balance: '0x7', storage: { '0x0': '0x2a' } },
  [COUNTS]: { code: '0x5f546001015f5500', storage: { '0x0': '0x1' } },
  [LOOPS]: { code: '0x5b5f56' },
  [RECURSES]: { code: `0x${'5f5f5f5f5f305af150'.repeat(2)}00` },
  [FORWARDS]: { code: `0x5f5f5f5f5f73${COUNTS.slice(2)}5af1602057fe5b00` },
};

describe('call', () => {
  let chain: Chain;

  beforeAll(async () => {
    chain = await Chain.start({ alloc });
  });

  const run = (request: Partial<Parameters<typeof call>[1]>, signal?: AbortSignal) =>
    call(chain.simulation(signal), { gas: 10_000_000n, ...request });

  it('returns a revert as a value, with its data', async () => {
    const outcome = await run({ to: REVERTS });
    expect(outcome.failure).toEqual({ kind: 'reverted', message: 'execution reverted' });
    expect(hexFromBytes(outcome.returnData)).toBe('0xdeadbeef');
  });

  it('runs without touching the world it was given a copy of', async () => {
    await run({ to: COUNTS, from: OWNER.address });
    expect(await chain.slots(COUNTS, 1)).toEqual([`0x${'1'.padStart(64, '0')}`]);
    expect((await chain.world.commitBlock()).nodes).toEqual([]);
  });

  it('needs neither a nonce nor a fee of the sender, but the value', async () => {
    expect((await run({ from: STRANGER, to: READS, gasPrice: 10n })).failure).toBeUndefined();
    const broke = { kind: 'halted', message: 'insufficient funds for transfer' };
    expect((await run({ from: STRANGER, to: READS, value: 1n })).failure).toEqual(broke);
    expect((await run({ from: STRANGER, value: 1n, data: Uint8Array.of(0) })).failure).toEqual(broke);
  });

  it('fails when the gas is below the intrinsic gas', async () => {
    const { failure } = await run({ to: READS, gas: 20_000n });
    expect(failure).toEqual({
      kind: 'outOfGas',
      message: 'intrinsic gas too low: gas 20000, minimum needed 21000',
    });
  });

  it.each([
    ['a loop', LOOPS],
    ['a recursion', RECURSES],
  ])('lets other work run during %s, and ends when its time is over', async (_kind, to) => {
    const controller = new AbortController();
    let turns = 0;
    const ticking = setInterval(() => (++turns === 3 ? controller.abort() : undefined), 1);
    try {
      await expect(run({ to, gas: 2n ** 60n }, controller.signal)).rejects.toThrow(ExecutionAbortedError);
    } finally {
      clearInterval(ticking);
    }
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it.each<[string, AccountOverride, string]>([
    ['a balance', { balance: 9n }, `${word(0x2a)}${word(9)}`],
    ['code', { code: bytesFromHex('0x60ff5f5260205ff3') }, word(0xff)],
    ['the whole storage', { state: new Map([[slotHash(1), slotHash(5)]]) }, `${word(0)}${word(7)}`],
    ['one slot', { stateDiff: new Map([[slotHash(0), slotHash(5)]]) }, `${word(5)}${word(7)}`],
  ])('sees an override of %s', async (_what, override, expected) => {
    const simulation = chain.simulation();
    await applyOverrides(simulation.world, new Map([[READS, override]]));
    const { returnData } = await call(simulation, { to: READS, gas: 1_000_000n });
    expect(hexFromBytes(returnData).slice(2)).toContain(expected);
  });
});

describe('estimateGas', () => {
  let chain: Chain;

  beforeAll(async () => {
    chain = await Chain.start({ alloc });
  });

  const estimate = (to: Address | undefined, data: Uint8Array = new Uint8Array(0)) =>
    estimateGas(chain.simulation(), { from: OWNER.address, to, data }, 16_000_000n);

  it('is 21000 for a transfer', async () => {
    expect(await estimate(STRANGER)).toEqual({ kind: 'gas', gas: 21_000n });
  });

  it.each([
    ['a contract that writes', COUNTS, new Uint8Array(0)],
    ['a nested call that gets 63/64', FORWARDS, new Uint8Array(0)],
    ['a creation', undefined, bytesFromHex('0x60035ff3')],
    ['data that costs by its floor', STRANGER, new Uint8Array(500).fill(1)],
  ])('is the least gas with which %s succeeds', async (_case, to, data) => {
    const found = await estimate(to, data);
    if (found.kind !== 'gas') throw new Error('expected gas');
    const attempt = (gasLimit: bigint) => transfer({ to, data, gasLimit });
    const enough = await chain.executor.executeTransaction(
      chain.block,
      attempt(found.gas),
      chain.world.copy(),
    );
    expect(enough.status).toBe(1);
    const less = chain.executor
      .executeTransaction(chain.block, attempt(found.gas - 1n), chain.world.copy())
      .then(
        ({ status }) => status,
        () => 'invalid',
      );
    expect(await less).not.toBe(1);
  });

  it('returns the failure of a request that cannot succeed', async () => {
    const found = await estimate(REVERTS);
    expect(found).toMatchObject({ kind: 'failure', outcome: { failure: { kind: 'reverted' } } });
  });
});

function word(value: number): string {
  return value.toString(16).padStart(64, '0');
}

function slotHash(value: number) {
  return parseHash(`0x${word(value)}`);
}
