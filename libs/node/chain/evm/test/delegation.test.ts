import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import {
  CodeCache,
  Journal,
  MemorySource,
  World,
  addressFromWord,
  executeCall,
  type CallRequest,
  type ExecutionContext,
  type PreState,
} from '../src/index.js';
import { BASIC_PRECOMPILES } from './basic-precompiles.js';
import { FUZZ_BLOCK } from './fuzz/own-run.js';
import { assemble } from './speed/assemble.js';

const CONTRACT = 0xc0den;
const DELEGATING = 0xde1en;
const OTHER = 0x07e4n;
const FROM = addressFromWord(2n ** 158n + 7n);
/** Of the contract's own opcodes: six operands of the call, and a POP. */
const OWN_GAS = 6 * 3 + 2;

/** Gas used by a contract that calls an account without forwarding gas, beyond that of its own opcodes. */
async function gasOfCall(delegate: bigint, kind = 'STATICCALL'): Promise<number> {
  const code = assemble(`0 0 0 0 ${DELEGATING} 0 ${kind} POP STOP`);
  const pre: PreState = {
    [addressFromWord(CONTRACT)]: { code: hexFromBytes(code) },
    [addressFromWord(DELEGATING)]: { code: `0xef0100${addressFromWord(delegate).slice(2)}` },
    [addressFromWord(OTHER)]: { code: '0x00' },
    [FROM]: { balance: '0xffff' },
  };
  const world = new World(new MemorySource(pre, false), new Journal(), new CodeCache());
  const request: CallRequest = {
    from: FROM,
    to: addressFromWord(CONTRACT),
    gas: 1_000_000,
    gasPrice: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
  };
  const context: ExecutionContext = {
    fork: 'prague',
    block: FUZZ_BLOCK,
    precompiles: { of: () => BASIC_PRECOMPILES },
  };
  const { gasUsed } = await executeCall(context, request, world);
  return gasUsed - 21_000 - OWN_GAS;
}

describe('a call to an account that is delegated (EIP-7702)', () => {
  it('pays for both accounts', async () => {
    expect(await gasOfCall(OTHER)).toBe(2_600 + 2_600);
    expect(await gasOfCall(OTHER, 'DELEGATECALL')).toBe(2_600 + 2_600);
  });

  it.each(['STATICCALL', 'DELEGATECALL'])(
    'to itself finds it warm at the second access: %s',
    async (kind) => {
      expect(await gasOfCall(DELEGATING, kind)).toBe(2_600 + 100);
    },
  );
});
