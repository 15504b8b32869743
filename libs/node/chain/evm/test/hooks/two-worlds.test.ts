import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import {
  CodeCache,
  FAILURE,
  Journal,
  World,
  addressFromWord,
  executeCall,
  MemorySource,
  type AccountChange,
  type CallOutcome,
  type CallRequest,
  type ExecutionContext,
  type Frame,
  type FrameOutcome,
  type PreState,
} from '../../src/index.js';
import { BASIC_PRECOMPILES } from '../basic-precompiles.js';
import { FUZZ_BLOCK } from '../fuzz/own-run.js';
import { assemble } from '../speed/assemble.js';
import { TwoWorlds } from './two-worlds.js';

const SENDER = 2n ** 158n + 7n;
/** Contracts of either world; the last one is known to both. */
const [PRIVATE, PRIVATE_2, PUBLIC, LIBRARY, BOTH] = [0xa1n, 0xa2n, 0xb1n, 0xb2n, 0xabn] as const;

const code = (text: string) => ({
  nonce: '0x1',
  code: hexFromBytes(assemble(text)),
  storage: { '0x1': '0x7' },
});
const STORE = '9 1 SSTORE 1 0 MSTORE 32 0 RETURN';
const READ = '1 SLOAD 0 MSTORE 32 0 RETURN';

/** Calls an address with all gas and returns success and what was returned. */
const callTo = (address: bigint, op = 'CALL') =>
  `32 32 0 0 ${op === 'CALL' ? '0' : ''} ${address} GAS ${op} 0 MSTORE 64 0 RETURN`;

interface Setting {
  readonly private: Record<string, ReturnType<typeof code>>;
  readonly public: Record<string, ReturnType<typeof code>>;
  readonly cold?: boolean;
}

function accounts(contracts: Record<string, PreState[string]>): PreState {
  const entries = Object.entries(contracts).map(([address, account]) => [
    addressFromWord(BigInt(address)),
    account,
  ]);
  return Object.fromEntries(entries);
}

/** A private execution over both worlds, on one journal. */
function open(setting: Setting) {
  const journal = new Journal();
  const codes = new CodeCache();
  const worldOf = (pre: PreState) => new World(new MemorySource(pre, setting.cold ?? false), journal, codes);
  const privateWorld = worldOf(accounts(setting.private));
  const publicWorld = worldOf({
    ...accounts(setting.public),
    [addressFromWord(SENDER)]: { balance: '0xffff' },
  });
  const hooks = new TwoWorlds(privateWorld, publicWorld);
  const failures: (string | undefined)[] = [];
  const listener = { leave: (_frame: Frame, { failure }: FrameOutcome) => void failures.push(failure) };
  const context: ExecutionContext = {
    fork: 'berlin',
    block: FUZZ_BLOCK,
    precompiles: { of: () => BASIC_PRECOMPILES },
    hooks,
    listener,
  };
  const request: CallRequest = {
    from: addressFromWord(SENDER),
    to: addressFromWord(PRIVATE),
    gas: 1_000_000,
    gasPrice: 0n,
    value: 0n,
    data: new Uint8Array(0),
    accessList: [],
  };
  const run = (overrides: Partial<CallRequest> = {}) =>
    executeCall(context, { ...request, ...overrides }, privateWorld);
  return { run, hooks, failures, privateWorld, publicWorld, journal };
}

const wordsOf = ({ returnData }: CallOutcome): bigint[] =>
  (Buffer.from(returnData).toString('hex').match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));

/** Changed slots by contract. */
const slotsOf = (changes: readonly AccountChange[]) =>
  changes.flatMap(({ address, slots }) => slots.map(({ slot, value }) => [address, slot, value]));

describe.each([false, true])('an execution over two worlds (everything fetched first: %s)', (cold) => {
  it('writes to the private world and leaves the public one as it is', async () => {
    const { run, privateWorld, publicWorld } = open({
      private: { [String(PRIVATE)]: code(STORE) },
      public: {},
      cold,
    });
    expect((await run()).failure).toBeUndefined();
    expect(slotsOf(privateWorld.changes())).toEqual([[Number(PRIVATE), 1, 9]]);
    expect(slotsOf(publicWorld.changes())).toEqual([]);
  });

  it('reads public contracts from private ones, and refuses to write them', async () => {
    const reading = open({
      private: { [String(PRIVATE)]: code(callTo(PUBLIC)) },
      public: { [String(PUBLIC)]: code(READ) },
      cold,
    });
    expect(wordsOf(await reading.run())).toEqual([1n, 7n]);
    const writing = open({
      private: { [String(PRIVATE)]: code(callTo(PUBLIC)) },
      public: { [String(PUBLIC)]: code(STORE) },
      cold,
    });
    expect(wordsOf(await writing.run())[0]).toBe(0n);
    expect(writing.failures).toEqual([FAILURE.readOnlyMode, undefined]);
    expect(writing.publicWorld.changes()).toEqual([]);
  });

  it('stays read-only below a public contract, also in a private one again', async () => {
    const { run, failures, privateWorld } = open({
      private: { [String(PRIVATE)]: code(callTo(PUBLIC)), [String(PRIVATE_2)]: code(STORE) },
      public: { [String(PUBLIC)]: code(callTo(PRIVATE_2)) },
      cold,
    });
    await run();
    expect(failures).toEqual([FAILURE.readOnlyMode, undefined, undefined]);
    expect(slotsOf(privateWorld.changes())).toEqual([]);
  });

  it.each(['DELEGATECALL', 'CALLCODE'])('refuses writes of public code that runs by %s', async (op) => {
    const caller = op === 'CALLCODE' ? callTo(LIBRARY).replace(' CALL ', ' CALLCODE ') : callTo(LIBRARY, op);
    const { run, failures, privateWorld } = open({
      private: { [String(PRIVATE)]: code(caller) },
      public: { [String(LIBRARY)]: code(STORE) },
      cold,
    });
    await run();
    expect(failures).toEqual([FAILURE.readOnlyMode, undefined]);
    expect(slotsOf(privateWorld.changes())).toEqual([]);
  });

  it('reads the slots of the account in whose name public code runs', async () => {
    const { run } = open({
      private: {
        [String(PRIVATE)]: { ...code(callTo(LIBRARY, 'DELEGATECALL')), storage: { '0x1': '0x2a' } },
      },
      public: { [String(LIBRARY)]: code(READ) },
      cold,
    });
    expect(wordsOf(await run())).toEqual([1n, 42n]);
  });

  it('is read-only in value as well', async () => {
    const { run, failures } = open({
      private: { [String(PRIVATE)]: code(callTo(PUBLIC)) },
      public: { [String(PUBLIC)]: code('0 0 0 0 1 0xee GAS CALL STOP') },
      cold,
    });
    await run();
    expect(failures[0]).toBe(FAILURE.readOnlyTransfer);
  });

  it.each(['0 0 LOG0 STOP', '0 0 0 CREATE STOP', '0xee SELFDESTRUCT'])('is read-only in %s', async (text) => {
    const { run, failures } = open({
      private: { [String(PRIVATE)]: code(callTo(PUBLIC)) },
      public: { [String(PUBLIC)]: code(text) },
      cold,
    });
    await run();
    expect(failures[0]).toBe(FAILURE.readOnlyMode);
  });

  it('prefers the private account where both worlds have one', async () => {
    const { run, hooks } = open({
      private: { [String(PRIVATE)]: code(callTo(BOTH)), [String(BOTH)]: code(STORE) },
      public: { [String(BOTH)]: code(READ) },
      cold,
    });
    expect(wordsOf(await run())).toEqual([1n, 1n]);
    expect(hooks.calls).toEqual([
      { address: Number(PRIVATE), kind: 'CALL' },
      { address: Number(BOTH), kind: 'CALL' },
    ]);
  });

  it('puts contracts created by a private contract into the private world, and reports them', async () => {
    const { run, hooks, privateWorld, publicWorld } = open({
      private: { [String(PRIVATE)]: code('0 0 0 CREATE 0 MSTORE 32 0 RETURN') },
      public: {},
      cold,
    });
    const [created] = wordsOf(await run());
    expect(hooks.calls.map(({ kind }) => kind)).toEqual(['CALL', 'CREATE']);
    expect(privateWorld.changes().map(({ address }) => BigInt(address))).toContain(created);
    expect(publicWorld.changes()).toEqual([]);
  });

  it('reverts both worlds with a frame', async () => {
    const { run, journal, privateWorld } = open({
      private: { [String(PRIVATE)]: code('9 1 SSTORE 0 0 REVERT') },
      public: {},
      cold,
    });
    expect((await run()).failure).toBe(FAILURE.reverted);
    expect(slotsOf(privateWorld.changes())).toEqual([]);
    expect(journal.refund).toBe(0);
  });

  it('fails the frame of a call or a creation that is refused, and continues in its caller', async () => {
    const { run, hooks, failures } = open({
      private: { [String(PRIVATE)]: code(callTo(PRIVATE_2)), [String(PRIVATE_2)]: code(STORE) },
      public: {},
      cold,
    });
    hooks.refused = ({ target }) => (target === Number(PRIVATE_2) ? 'not allowed' : null);
    expect(wordsOf(await run())[0]).toBe(0n);
    expect(failures).toEqual(['not allowed', undefined]);
  });

  it('repeats a permission check after fetching its data', async () => {
    const { run, hooks, journal } = open({ private: { [String(PRIVATE)]: code(STORE) }, public: {}, cold });
    let fetched = false;
    hooks.refused = () => {
      if (fetched) return 'looked up and refused';
      const supply = { fetch: async () => void (fetched = true) };
      return journal.miss(supply, { kind: 'account', address: 0 });
    };
    expect((await run()).failure).toBe('looked up and refused');
  });

  it('waits for a precompile that belongs to the chain', async () => {
    const { run, hooks } = open({ private: { [String(PRIVATE)]: code(callTo(0x7an)) }, public: {}, cold });
    const answer = async () => Uint8Array.from({ length: 32 }, (_, n) => (n === 31 ? 5 : 0));
    hooks.chainPrecompile = { address: 0x7a, precompile: { gas: () => 0, run: answer } };
    expect(wordsOf(await run())).toEqual([1n, 5n]);
  });
});
