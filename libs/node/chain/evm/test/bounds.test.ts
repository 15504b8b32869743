import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import {
  CodeCache,
  ExecutionAbortedError,
  Journal,
  MemorySource,
  World,
  addressFromWord,
  executeCall,
  executeTransaction,
  type CallRequest,
  type ExecutionContext,
  type ForkName,
  type Missing,
  type PreState,
  type Precompile,
  type Word,
} from '../src/index.js';
import { BASIC_PRECOMPILES } from './basic-precompiles.js';
import { hashOfWord } from '../src/word/word-table.js';
import { FUZZ_BLOCK } from './fuzz/own-run.js';
import { assemble } from './speed/assemble.js';

const CONTRACT = 0xc0den;
const FROM = addressFromWord(2n ** 158n + 7n);
const GAS = 8_000_000;

/** Contracts that do nothing but take time; each runs until its gas is gone, but for those that fail before. */
const ATTACKS: Readonly<Record<string, string>> = {
  loops: 'round: @round JUMP',
  'runs straight on, hashing': `${'65536 0 KECCAK256 POP '.repeat(2_000)} STOP`,
  'recurses into itself': `0 0 0 0 0 ${CONTRACT} GAS CALL STOP`,
  'calls itself again and again': `round: 0 0 0 0 0 ${CONTRACT} 2000 CALL POP @round JUMP`,
  'fills memory': '0 round: 1 DUP2 MSTORE 4096 ADD @round JUMP',
  'copies memory': '1 0x20000 MSTORE round: 0x10000 0 0x10000 CODECOPY @round JUMP',
  exponentiates: `1 NOT round: DUP1 3 EXP POP @round JUMP`,
  'multiplies wide words': '1 NOT round: 3 DUP2 DUP1 MULMOD POP @round JUMP',
  'deploys nothing again and again': 'round: 0 0 0 CREATE POP @round JUMP',
  'deploys large init code that does nothing': '0 0x100000 MSTORE round: 0x100000 0 0 CREATE POP @round JUMP',
  'stores in ever new slots': '0 round: 1 DUP2 SSTORE 1 ADD @round JUMP',
  'reads the balances of ever new accounts': '0 round: 1 ADD DUP1 BALANCE POP @round JUMP',
  'logs much': 'round: 0x8000 0 LOG0 @round JUMP',
};

function worldOf(code: Uint8Array, cold = false): World {
  const pre: PreState = {
    [addressFromWord(CONTRACT)]: {
      nonce: '0x1',
      balance: '0xffff',
      code: hexFromBytes(code),
      storage: { '0x1': '0x1' },
    },
    [FROM]: { balance: '0xffffffffffffffff' },
  };
  return new World(new MemorySource(pre, cold), new Journal(), new CodeCache());
}

const contextOf = (fork: ForkName, extra: Partial<ExecutionContext> = {}): ExecutionContext => ({
  fork,
  block: FUZZ_BLOCK,
  precompiles: { of: () => BASIC_PRECOMPILES },
  ...extra,
});

const request: CallRequest = {
  from: FROM,
  to: addressFromWord(CONTRACT),
  gas: GAS,
  gasPrice: 0n,
  value: 0n,
  data: new Uint8Array(0),
  accessList: [],
};

/** Counts turns of the event loop while something runs. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await run();
  running = false;
  return turns;
}

describe('a contract that takes time', () => {
  it.each(Object.entries(ATTACKS))(
    '%s: other work gets turns by the gas that is used',
    async (_name, text) => {
      const sliceGas = GAS / 20;
      let gasUsed = 0;
      const turns = await countTurns(async () => {
        const outcome = await executeCall(
          contextOf('berlin', { sliceGas }),
          request,
          worldOf(assemble(text)),
        );
        ({ gasUsed } = outcome);
      });
      // A frame that fails takes its gas without having worked for it.
      const worked = _name === 'recurses into itself' ? 0 : gasUsed;
      expect(turns).toBeGreaterThanOrEqual(Math.floor(worked / sliceGas / 4));
    },
  );

  it.each(Object.entries(ATTACKS))('%s: stops when its signal is aborted', async (_name, text) => {
    const abort = new AbortController();
    setImmediate(() => abort.abort());
    const world = worldOf(assemble(text));
    const run = executeCall(contextOf('berlin', { signal: abort.signal, sliceGas: 10_000 }), request, world);
    await expect(run).rejects.toThrow(ExecutionAbortedError);
    expect(world.changes()).toEqual([]);
  });

  it('leaves the world as it was when a transaction is stopped, and the world can continue', async () => {
    const world = worldOf(assemble('5 1 SSTORE round: @round JUMP'));
    const abort = new AbortController();
    setImmediate(() => abort.abort());
    const transaction = {
      type: 'legacy' as const,
      hash: `0x${'00'.repeat(32)}` as never,
      sender: FROM,
      raw: new Uint8Array(0),
      nonce: 0n,
      gasLimit: BigInt(GAS),
      to: addressFromWord(CONTRACT),
      value: 1n,
      data: new Uint8Array(0),
      v: 27n,
      r: 1n,
      s: 1n,
      gasPrice: 7n,
    };
    const context = contextOf('berlin', { sliceGas: 5_000 });
    await expect(
      executeTransaction({ ...context, signal: abort.signal }, transaction, world),
    ).rejects.toThrow(ExecutionAbortedError);
    expect(world.changes()).toEqual([]);
    const effects = await executeTransaction(context, { ...transaction, gasLimit: 50_000n }, world);
    expect(effects).toMatchObject({ status: 0, gasUsed: 50_000n, failure: 'out of gas' });
  });

  it('aborts the asynchronous work of a precompile', async () => {
    const abort = new AbortController();
    const endless: Precompile = {
      gas: () => 1,
      run: (_input, { signal } = {}) =>
        new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(new Error('ended')))),
    };
    const precompiles = { of: () => new Map<Word, Precompile>([[9, endless]]) };
    setImmediate(() => abort.abort());
    const world = worldOf(assemble('0 0 0 0 0 9 GAS CALL STOP'));
    const run = executeCall(contextOf('berlin', { signal: abort.signal, precompiles }), request, world);
    await expect(run).rejects.toThrow(ExecutionAbortedError);
    expect(world.changes()).toEqual([]);
  });
});

describe('data that an execution needs', () => {
  it('is fetched once per slot, in time linear in the number of slots', async () => {
    const slots = 400;
    const text = `${slots} round: DUP1 SLOAD POP 1 SWAP1 SUB DUP1 @round JUMPI STOP`;
    const source = new MemorySource(
      {
        [addressFromWord(CONTRACT)]: {
          nonce: '0x1',
          code: hexFromBytes(assemble(text)),
          storage: { '0x1': '0x1' },
        },
      },
      true,
    );
    const world = new World(source, new Journal(), new CodeCache());
    const outcome = await executeCall(contextOf('berlin'), request, world);
    expect(outcome.failure).toBeUndefined();
    // Sender, contract and coinbase in one set, then the code, then a slot at a time.
    expect(source.fetches).toBe(2 + slots);
    await executeCall(contextOf('berlin'), request, world);
    expect(source.fetches).toBe(2 + slots);
  });

  it('is fetched in one set where the access list names it', async () => {
    const source = new MemorySource(
      { [addressFromWord(CONTRACT)]: { nonce: '0x1', code: '0x60015460025400', storage: { '0x1': '0x1' } } },
      true,
    );
    const keys = [1, 2].map((n) => `0x${n.toString(16).padStart(64, '0')}` as never);
    const accessList = [{ address: addressFromWord(CONTRACT), storageKeys: keys }];
    const world = new World(source, new Journal(), new CodeCache());
    const outcome = await executeCall(contextOf('berlin'), { ...request, accessList }, world);
    expect(outcome.failure).toBeUndefined();
    expect(source.fetches).toBe(2);
  });

  it('fails the execution when it cannot be fetched, and leaves the world as it was', async () => {
    const source = new MemorySource(
      {
        [addressFromWord(CONTRACT)]: {
          nonce: '0x1',
          code: hexFromBytes(assemble('5 1 SSTORE 0xee BALANCE')),
        },
      },
      true,
    );
    const fetch = source.fetch.bind(source);
    source.fetch = async (missing) => {
      if (missing.some((item) => item.kind === 'account' && item.address === 0xee))
        throw new Error('the disk is gone');
      return fetch(missing);
    };
    const world = new World(source, new Journal(), new CodeCache());
    await expect(executeCall(contextOf('berlin'), request, world)).rejects.toThrow('the disk is gone');
    expect(world.changes()).toEqual([]);
  });
});

describe('a source', () => {
  it.each([
    ['before the execution', (item: Missing) => item.kind === 'account'],
    ['at an opcode', (item: Missing) => item.kind === 'slot'],
  ] as const)('that brings nothing %s is not asked for ever', async (_name, withholds) => {
    const source = new MemorySource(
      { [addressFromWord(CONTRACT)]: { nonce: '0x1', code: '0x600154', storage: { '0x1': '0x1' } } },
      true,
    );
    const fetch = source.fetch.bind(source);
    source.fetch = (missing) => fetch(missing.filter((item) => !withholds(item)));
    const world = new World(source, new Journal(), new CodeCache());
    await expect(executeCall(contextOf('berlin'), request, world)).rejects.toThrow(/still missing/);
  });
});

describe('the hash of words', () => {
  it('spreads words that agree in their low or their high 64 bits, and consecutive small ones', () => {
    const random = seededRandom(5);
    const rows: Word[][] = [
      Array.from({ length: 4_096 }, (_, n) => (BigInt(n + 1) << 128n) | 0xffff_ffff_ffff_ffffn),
      Array.from({ length: 4_096 }, (_, n) => (0xabcn << 200n) | (BigInt(n) << 65n)),
      Array.from({ length: 4_096 }, (_, n) => n * 65_536),
      Array.from({ length: 4_096 }, (_, n) => (n + 1) * 2 ** 40),
      Array.from({ length: 4_096 }, () => Math.floor(random() * 2 ** 52)),
    ];
    for (const row of rows) {
      const cells = new Map<number, number>();
      for (const word of row) {
        const cell = hashOfWord(word) & 8_191;
        cells.set(cell, (cells.get(cell) ?? 0) + 1);
      }
      // Half as many words as cells leave about 39 % of the cells taken; bad hashes leave far fewer.
      expect(cells.size).toBeGreaterThan(2_400);
      expect(Math.max(...cells.values())).toBeLessThan(16);
    }
  });
});
