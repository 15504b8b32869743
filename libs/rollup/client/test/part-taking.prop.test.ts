import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { ChainUnavailableError, type EthereumClient } from '@tetrad/rollup-chain';
import fc from 'fast-check';
import { ContractRefusal } from '../src/chain/contract-errors.js';
import type { ContractCall } from '../src/chain/send-transaction.js';
import type { ExitOptions, ExitProgress } from '../src/exit/exit-options.js';
import { ExitTransactions } from '../src/exit/exit-transactions.js';
import { PartTaking, type Part } from '../src/exit/part-taking.js';
import { faultyClient } from './faulty-client.js';
import { VirtualChain, type VirtualOptions } from './virtual-chain.js';

const KEY = Buffer.alloc(32, 0x5a);
const PAYER = addressFromPrivateKey(KEY);
const BLOCK_GAS = 30_000_000n;
/** Limit of one item, as of an order of ether. */
const ITEM_GAS = 1_100_000n;
const MOST = 4;
/** Blocks after which something stalls. */
const STALLED = 3_000;

class Killed extends Error {}

interface Run {
  readonly chain: VirtualChain;
  readonly kinds: Map<ExitProgress['kind'], number>;
  /** Items said to be taken out. */
  readonly said: number[];
  readonly blocks: number;
}

interface Script {
  readonly items: number;
  readonly options: VirtualOptions;
  readonly maxFeePerGas?: bigint;
  /** What happens in a pause before the block; throws when the process is killed. */
  during?(chain: VirtualChain, pause: number): void;
  /** What happens before and after each call of the client, and of the contract. */
  fault?(chain: VirtualChain, when: 'before' | 'after', method: string): void;
}

const itemsOf = (count: number) => Array.from({ length: count }, (_, index) => index);

function partOf(chain: VirtualChain, items: readonly number[], said: number[]): Part<number> {
  return {
    items,
    most: MOST,
    gas: () => ITEM_GAS,
    isDone: async (item) => chain.isTaken(item),
    call: (some) => ({ to: PAYER, data: Buffer.from(JSON.stringify(some)) }),
    say: (some, isSent) => {
      if (isSent) said.push(...some);
    },
  };
}

/** Takes all out, with a new process after each kill. */
async function run({ items, options, maxFeePerGas, during, fault }: Script): Promise<Run> {
  const chain = new VirtualChain(options);
  const [kinds, said, first] = [new Map<ExitProgress['kind'], number>(), [] as number[], chain.number];
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses > STALLED) throw new Error(`${chain.pooled} transactions are under way, and nothing happens`);
    try {
      during?.(chain, pauses);
    } finally {
      chain.mine();
    }
  };
  const contract = {
    client: faultyClient(chain, (when, method) => fault?.(chain, when, method)),
    tryCall: async ({ data }: ContractCall) => {
      fault?.(chain, 'before', 'tryCall');
      const wanted = JSON.parse(Buffer.from(data).toString()) as number[];
      if (wanted.some((item) => chain.isTaken(item))) throw new ContractRefusal('OrderWithdrawnBefore');
    },
  };
  const onProgress = ({ kind }: ExitProgress) => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const exit = { payerKey: KEY, maxFeePerGas, signal: new AbortController().signal, onProgress, pause };
  for (;;) {
    try {
      const transactions = new ExitTransactions(exit as unknown as ExitOptions);
      const takeAll = async () => {
        const taking = await PartTaking.start(contract, transactions);
        await taking.take(partOf(chain, itemsOf(items), said));
        return { chain, kinds, said, blocks: chain.number - first };
      };
      for (;;) {
        const end = await transactions.whenReachable(takeAll);
        if (end !== undefined) return end;
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

const free: VirtualOptions = { blockGas: BLOCK_GAS };
/** A transaction of four uses 3,800,000, and has a limit of 4,750,000: a block takes seven. */
const A_BLOCK = 7 * MOST;

describe('withdrawals with several transactions under way', () => {
  it('fill the blocks of a chain: a thousand orders take 36 of 30 million', async () => {
    const { blocks, said, kinds, chain } = await run({ items: 1_000, options: free });
    expect(blocks).toBe(Math.ceil(1_000 / A_BLOCK));
    expect(said.sort((a, b) => a - b)).toEqual(itemsOf(1_000));
    expect([kinds.get('sent'), chain.reverts]).toEqual([250, 0]);
  });

  it('take out each once however often the process is killed, and send nothing in vain', async () => {
    const kills = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 15 });
    const counts = fc.boolean();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), kills, counts, async (items, killed, hasPrice) => {
        const { chain } = await run({
          items,
          options: hasPrice ? { ...free, gasPrice: 5n } : free,
          during: (_, pause) => {
            if (killed.includes(pause)) throw new Killed();
          },
        });
        expect(itemsOf(items).every((item) => chain.isTaken(item))).toBe(true);
        expect([chain.reverts, chain.pooled]).toEqual([0, 0]);
      }),
      { numRuns: 40 },
    );
  });

  it.each(['before', 'after'] as const)('take out each once when killed %s any call', async (when) => {
    const items = 5 * MOST + 1;
    let calls = 0;
    await run({ items, options: free, fault: () => void (calls += 1) });
    expect(calls).toBeGreaterThan(50);
    for (let place = 0, isOver = false; !isOver; place += 1) {
      let call = 0;
      const { chain } = await run({
        items,
        options: free,
        fault: (_, at) => {
          if (at !== when) return;
          call += 1;
          if (call === place) throw new Killed();
        },
      });
      expect([place, chain.withdrawals, chain.reverts, chain.pooled]).toEqual([place, 6, 0, 0]);
      expect(itemsOf(items).every((item) => chain.isTaken(item))).toBe(true);
      isOver = call < place;
    }
  });

  it('send nothing twice to a client that answers too late, however often', async () => {
    const late = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 });
    const whens = fc.constantFrom('before' as const, 'after' as const);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 120 }), late, whens, async (items, places, when) => {
        let call = 0;
        const { chain } = await run({
          items,
          options: { ...free, baseFee: 10n ** 9n },
          maxFeePerGas: 10n ** 15n,
          fault: (_, at) => {
            if (at !== when) return;
            call += 1;
            if (places.includes(call)) throw new ChainUnavailableError('no answer in time');
          },
        });
        expect([chain.withdrawals, chain.reverts]).toEqual([Math.ceil(items / MOST), 0]);
      }),
      { numRuns: 60 },
    );
  });

  it('keep their limit while gas gets dearer and the client answers late', async () => {
    const baseFee = 10n ** 9n;
    let raises = 0;
    const seen = new Set<number>();
    const { chain, kinds } = await run({
      items: 600,
      options: { ...free, baseFee },
      during: (at, pause) => {
        if (pause % 3 !== 1 || raises === 6) return;
        raises += 1;
        at.raiseBaseFee(3n);
      },
      fault: (at, when, method) => {
        if (when === 'after' && method === 'gasPrice' && at.number % 5 === 0 && !seen.has(at.number)) {
          seen.add(at.number);
          throw new ChainUnavailableError('no answer in time');
        }
      },
    });
    expect(raises).toBe(6);
    expect(kinds.get('dear')).toBeGreaterThan(0);
    expect(chain.dearest <= 4n * baseFee).toBe(true);
  });

  it('end whatever becomes of the transactions, in whatever client', async () => {
    const happening = fc.record({
      pause: fc.integer({ min: 1, max: 60 }),
      what: fc.constantFrom('drop', 'stranger', 'replaced', 'taken', 'lost', 'reorganised', 'killed'),
      item: fc.nat(200),
    });
    const options = fc.record({
      blockGas: fc.constantFrom(5_000_000n, 12_000_000n, BLOCK_GAS),
      baseFee: fc.constantFrom(undefined, 1n, 10n ** 9n),
      gasPrice: fc.constantFrom(0n, 10n ** 6n),
      most: fc.constantFrom(1, 3, 64),
      countsPending: fc.boolean(),
    });
    const happenings = fc.array(happening, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), options, happenings, async (items, given, all) => {
        const { chain } = await run({
          items,
          options: given,
          maxFeePerGas: 10n ** 12n,
          during: (at, pause) => {
            for (const { what, item } of all.filter((each) => each.pause === pause)) {
              if (what === 'drop') at.drop(item);
              else if (what === 'stranger') at.addStranger(false);
              else if (what === 'replaced') at.addStranger(true);
              else if (what === 'taken') at.take(item % items);
              else if (what === 'killed') throw new Killed();
              else at.reorganise(what === 'lost');
            }
          },
        });
        expect(itemsOf(items).every((item) => chain.isTaken(item))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('pay no more for gas than four times what it cost, and wait until it costs less', async () => {
    const baseFee = 10n ** 9n;
    const most: bigint[] = [];
    const { kinds, chain } = await run({
      items: 600,
      options: { ...free, baseFee },
      during: (at) => void at.head().then((head) => most.push(head.baseFeePerGas ?? 0n)),
    });
    expect(kinds.get('dear')).toBeGreaterThan(0);
    expect(chain.reverts).toBe(0);
    // One block more than may be paid: what was sent before fills it.
    const dearest = most.reduce((one, other) => (one > other ? one : other));
    expect(dearest < 5n * baseFee).toBe(true);
  });

  it('go on beside another process that uses the account all the time', async () => {
    const { chain, kinds } = await run({ items: 40, options: free, during: (at) => at.addStranger(false) });
    expect(kinds.get('sent')).toBe(10);
    expect(chain.reverts).toBe(0);
  });

  it('end when they are refused for good', async () => {
    const refusing = new VirtualChain({ ...free, most: 0 });
    const contract = { client: refusing as unknown as EthereumClient, tryCall: async () => undefined };
    const exit = {
      payerKey: KEY,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      pause: async () => refusing.mine(),
    };
    const taking = await PartTaking.start(contract, new ExitTransactions(exit as unknown as ExitOptions));
    await expect(taking.take(partOf(refusing, [1], []))).rejects.toThrow('txpool is full');
  });
});
