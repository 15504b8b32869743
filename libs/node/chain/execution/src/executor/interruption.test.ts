import { beforeAll, describe, expect, it } from '@jest/globals';
import { hexFromBytes, parseAddress, type Address } from '@tetrad/types';
import { Chain, OWNER, transfer } from '../testing/chain.js';
import { call } from './simulate.js';
import { ExecutionAbortedError } from '@tetrad/node-evm';

const precompile = (byte: string) => parseAddress(`0x${byte.padStart(40, '0')}`);
const MODEXP = precompile('5');
const BN254_PAIRING = precompile('8');
const BLAKE2F = precompile('9');
const BLS_PAIRING = precompile('f');
const STRAIGHT = parseAddress(`0x${'e1'.repeat(20)}`);
const HASHES = parseAddress(`0x${'e2'.repeat(20)}`);
const ASKS_OFTEN = parseAddress(`0x${'e3'.repeat(20)}`);

/** PUSH1 1, POP, without a jump in it, and then itself again. */
const straight = `0x${'600150'.repeat(8_000)}5f5f5f5f5f305af1`;
/** JUMPDEST; the hash of four megabytes; JUMP. */
const hashes = '0x5b623d09005f205000'.replace('5000', '505f56');
/** JUMPDEST; point evaluation with no input, which the precompile refuses; JUMP. */
const asksOften = '0x5b5f5f5f5f5f600a61c350f1505f56';

const alloc = {
  [STRAIGHT]: { code: straight },
  [HASHES]: { code: hashes },
  [ASKS_OFTEN]: { code: asksOften },
};

/** Rounds (4, big-endian), and the rest of an input of BLAKE2F: h (64) ‖ m (128) ‖ t (16) ‖ final (1). */
const blake2f = (rounds: number) => {
  const input = new Uint8Array(213);
  new DataView(input.buffer).setUint32(0, rounds);
  return input;
};
/** Lengths (32 each) of base, exponent and modulus, and then these: all bits set, but some of the base. */
const modexp = (bytes: number) => {
  const input = new Uint8Array(96 + 3 * bytes).fill(0xff);
  input.fill(0x5a, 96, 96 + bytes);
  [0, 32, 64].forEach((offset) => {
    input.fill(0, offset, offset + 32);
    new DataView(input.buffer).setUint32(offset + 28, bytes);
  });
  return input;
};

describe('an execution', () => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await Chain.start({ alloc });
  });

  const endless: [string, Address, Uint8Array][] = [
    ['straight code', STRAIGHT, new Uint8Array(0)],
    ['hashes of megabytes', HASHES, new Uint8Array(0)],
    ['precompiles in a loop', ASKS_OFTEN, new Uint8Array(0)],
    ['BLAKE2F of four billion rounds', BLAKE2F, blake2f(2 ** 32 - 1)],
    ['an exponentiation', MODEXP, modexp(1_024)],
    ['a pairing of thousands of points', BN254_PAIRING, new Uint8Array(192 * 20_000)],
  ];

  it.each(endless)('can be aborted whatever it runs: %s', async (_what, to, data) => {
    const controller = new AbortController();
    const running = call(chain.simulation(controller.signal), { to, data, gas: 2n ** 60n });
    // Other work of the process proceeds meanwhile.
    for (let turn = 0; turn < 2; turn++) await new Promise((tick) => setImmediate(tick));
    controller.abort();
    await expect(running).rejects.toThrow(ExecutionAbortedError);
  });

  it('after an aborted one is not affected by it', async () => {
    const controller = new AbortController();
    const gas = 2n ** 60n;
    const stopped = call(chain.simulation(controller.signal), { to: BLAKE2F, data: blake2f(2 ** 31), gas });
    const waiting = call(chain.simulation(), { to: BLAKE2F, data: blake2f(20_000), gas });
    const given = call(chain.simulation(controller.signal), { to: BLAKE2F, data: blake2f(2 ** 31), gas });
    controller.abort();
    await expect(stopped).rejects.toThrow(ExecutionAbortedError);
    await expect(given).rejects.toThrow(ExecutionAbortedError);
    expect((await waiting).returnData).toHaveLength(64);
  });

  it.each<[string, Address, Uint8Array]>([
    ['BLAKE2F', BLAKE2F, blake2f(12_000)],
    ['BLAKE2F, which refuses its input', BLAKE2F, Uint8Array.from([...blake2f(12_000), 0])],
    ['MODEXP', MODEXP, modexp(300)],
    ['a pairing', BN254_PAIRING, new Uint8Array(192 * 5)],
    ['a pairing of numbers that are not points', BN254_PAIRING, new Uint8Array(192 * 5).fill(1)],
    ['a pairing on the other curve', BLS_PAIRING, new Uint8Array(384 * 5)],
  ])('in slices gives what it gives in a block: %s', async (_what, to, data) => {
    const gasLimit = 16_000_000n;
    const outcome = await call(chain.simulation(), { from: OWNER.address, to, data, gas: gasLimit });
    const { executor, block, world } = chain.simulation();
    const effects = await executor.executeTransaction(block, transfer({ to, data, gasLimit }), world);
    expect({
      used: outcome.gasUsed,
      returned: hexFromBytes(outcome.returnData),
      failed: outcome.failure !== undefined,
    }).toEqual({
      used: effects.gasUsed,
      returned: hexFromBytes(effects.returnData),
      failed: effects.status === 0,
    });
  });
});
