import { describe, expect, it } from '@jest/globals';
import { decodeTransaction } from '@tetrad/node-execution';
import { signTransaction } from '@tetrad/transactions';
import {
  RequestError,
  ZERO_ADDRESS,
  silentLogger,
  silentMetrics,
  type Hash,
  type Logger,
  type LogValues,
  type SignedTransaction,
} from '@tetrad/types';
import fc from 'fast-check';
import { ModelChain, ModelJournal } from '../test/pool-model.js';
import { openTransactionPool } from './open-pool.js';
import type { PoolLimits } from './pool-limits.js';

const CHAIN_ID = 1337n;
const [SENDERS, NONCES, SIZES] = [5, 5, 3];
/** The first two have nothing, the last is an account of the node. */
const UNFUNDED = 2;

const offers = Array.from({ length: SENDERS }, (_, sender) =>
  Array.from({ length: NONCES }, (_nonce, nonce) =>
    Array.from({ length: SIZES }, (_size, size) => signed(sender, nonce, size)),
  ),
);
const senders = offers.map((own) => (own[0]?.[0] as SignedTransaction).sender);

/** A larger one is dearer too where its sender has anything, so that it may replace a smaller one. */
function signed(sender: number, nonce: number, size: number): SignedTransaction {
  const gasPrice = sender < UNFUNDED ? 0n : BigInt(size);
  const content = { gasLimit: 30_000n, to: ZERO_ADDRESS, value: 0n, data: new Uint8Array(size * 100) };
  const raw = signTransaction(
    { chainId: CHAIN_ID, nonce: BigInt(nonce), ...content, fees: { type: 'legacy', gasPrice } },
    new Uint8Array(32).fill(sender + 1),
  );
  return decodeTransaction(raw, CHAIN_ID);
}

const offer = fc.record({ sender: fc.nat(SENDERS - 1), nonce: fc.nat(NONCES - 1), size: fc.nat(SIZES - 1) });
const group = fc.array(offer, { minLength: 1, maxLength: 4 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), offers: group }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('addRemote' as const), offers: group }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mine' as const), most: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), broken: fc.boolean() }) },
);
const bounds = fc.record({
  total: fc.integer({ min: 2, max: 12 }),
  totalBytes: fc.integer({ min: 700, max: 3_000 }),
  queued: fc.integer({ min: 1, max: 6 }),
  queuedBytes: fc.integer({ min: 300, max: 1_200 }),
  perAccount: fc.integer({ min: 1, max: 4 }),
  perAccountBytes: fc.integer({ min: 300, max: 1_200 }),
});

/** Remembers which acknowledged transactions were said to be dropped. */
class DropLog implements Pick<Logger, 'warn'> {
  readonly dropped = new Set<unknown>();

  warn(message: string, values?: LogValues): void {
    if (message === 'transaction dropped from the pool') this.dropped.add(values?.['hash']);
  }
}

const sum = (transactions: readonly SignedTransaction[]) => ({
  count: transactions.length,
  bytes: transactions.reduce((bytes, { raw }) => bytes + raw.length, 0),
});

describe('a pool that is too small for the load', () => {
  it('stays within its bounds, has a row for each acknowledged transaction, and logs drops', async () => {
    await fc.assert(
      fc.asyncProperty(
        bounds,
        fc.array(step, { maxLength: 40 }),
        async (limits: Partial<PoolLimits>, steps) => {
          const journal = new ModelJournal();
          const chain = new ModelChain(journal, (sender) =>
            senders.indexOf(sender) < UNFUNDED ? 0n : 10n ** 20n,
          );
          const log = new DropLog();
          const acknowledged = new Map<Hash, SignedTransaction>();
          const taken = new Set<SignedTransaction>();
          const open = () =>
            openTransactionPool({
              chain: chain.open(),
              journal,
              logger: { ...silentLogger, warn: (...line) => log.warn(...line) },
              metrics: silentMetrics,
              limits,
              isOwnAccount: (address) => address === senders.at(-1),
            });
          let pool = await open();
          for (const one of steps) {
            if (one.kind === 'break') journal.broken = one.broken;
            else if (one.kind === 'restart') pool = await open();
            else if (one.kind === 'mine') mine(one.most);
            else await Promise.all(one.offers.map((given) => submit(one.kind, given)));
            check();
          }

          async function submit(kind: 'add' | 'addRemote', { sender, nonce, size }: Offer): Promise<void> {
            const transaction = offers[sender]?.[nonce]?.[size] as SignedTransaction;
            const wasDropped = kind === 'add' && log.dropped.delete(transaction.hash);
            try {
              await (kind === 'addRemote' ? pool.addRemote(transaction) : pool.add(transaction));
              taken.add(transaction);
              if (kind === 'add') acknowledged.set(transaction.hash, transaction);
            } catch (error) {
              if (wasDropped) log.dropped.add(transaction.hash);
              if (!(error instanceof RequestError)) expect(journal.broken).toBe(true);
            }
          }

          function mine(most: number): void {
            const { selection, release } = pool.select();
            const mined: SignedTransaction[] = [];
            for (
              let entry = selection.next();
              entry !== undefined && mined.length < most;
              entry = selection.next()
            ) {
              mined.push(entry.transaction);
              selection.accept(entry);
            }
            release();
            chain.mine(mined);
          }

          function check(): void {
            const { pending, queued } = pool.content();
            const [next, waiting] = [[...pending.values()].flat(), [...queued.values()].flat()];
            const all = [...next, ...waiting];
            expectWithin(sum(all), { count: limits.total, bytes: limits.totalBytes });
            expectWithin(sum(waiting), { count: limits.queued, bytes: limits.queuedBytes });
            for (const sender of senders) {
              const own = sum(all.filter((transaction) => transaction.sender === sender));
              expectWithin(own, { count: limits.perAccount, bytes: limits.perAccountBytes });
            }
            const held = new Set(all.map(({ hash }) => hash));
            for (const hash of journal.rows.keys()) expect(held).toContain(hash);
            for (const { hash, sender, nonce, raw } of acknowledged.values()) {
              if (chain.mined.has(hash) || log.dropped.has(hash)) continue;
              const isReplaced = all.some((other) => other.sender === sender && other.nonce === nonce);
              const isOvertaken = nonce < (chain.nonces.get(sender) ?? 0n);
              // It was replaced by one that is gone itself, which was said of that one.
              const heir = [...taken].some(
                (other) => other.sender === sender && other.nonce === nonce && other.raw.length > raw.length,
              );
              if (!held.has(hash)) expect(isReplaced || isOvertaken || heir).toBe(true);
              else expect(journal.rows.has(hash)).toBe(true);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

type Offer = { readonly sender: number; readonly nonce: number; readonly size: number };

function expectWithin(
  held: { count: number; bytes: number },
  most: { count: number | undefined; bytes: number | undefined },
): void {
  expect(held.count).toBeLessThanOrEqual(most.count as number);
  expect(held.bytes).toBeLessThanOrEqual(most.bytes as number);
}
