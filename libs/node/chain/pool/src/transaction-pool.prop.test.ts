import { describe, expect, it } from '@jest/globals';
import { decodeTransaction } from '@tetrad/node-execution';
import { signTransaction } from '@tetrad/transactions';
import {
  RequestError,
  ZERO_ADDRESS,
  silentLogger,
  silentMetrics,
  type Hash,
  type SignedTransaction,
} from '@tetrad/types';
import fc from 'fast-check';
import { ModelChain, ModelJournal } from '../test/pool-model.js';
import { openTransactionPool } from './open-pool.js';
import type { TransactionPool } from './transaction-pool.js';

const CHAIN_ID = 1337n;
const [SENDERS, NONCES, PRICES] = [3, 6, 3];
const offers = Array.from({ length: SENDERS }, (_, sender) =>
  Array.from({ length: NONCES }, (_nonce, nonce) =>
    Array.from({ length: PRICES }, (_price, price) => signed(sender, nonce, price)),
  ),
);
const senders = offers.map((own) => (own[0]?.[0] as SignedTransaction).sender);

function signed(sender: number, nonce: number, price: number): SignedTransaction {
  const fees = { type: 'legacy', gasPrice: BigInt(price) } as const;
  const content = {
    nonce: BigInt(nonce),
    gasLimit: 21_000n,
    to: ZERO_ADDRESS,
    value: 0n,
    data: new Uint8Array(0),
  };
  return decodeTransaction(
    signTransaction({ chainId: CHAIN_ID, ...content, fees }, new Uint8Array(32).fill(sender + 1)),
    CHAIN_ID,
  );
}

const offer = fc.record({
  sender: fc.nat(SENDERS - 1),
  nonce: fc.nat(NONCES - 1),
  price: fc.nat(PRICES - 1),
});
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      offers: fc.array(offer, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), most: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('break' as const), broken: fc.boolean() }) },
);

/** What must be true, by the rules of the pool as a client knows them. */
class Model {
  /** Accepted and neither mined nor replaced. */
  readonly waiting = new Map<string, SignedTransaction>();

  /** The reason with which the newcomer is refused; undefined when it is accepted. */
  rejection(newcomer: SignedTransaction, chain: ModelChain): string | undefined {
    const next = chain.nonces.get(newcomer.sender) ?? 0n;
    const pending = this.waiting.get(keyOf(newcomer));
    if (pending?.hash === newcomer.hash) return 'ALREADY_KNOWN';
    if (newcomer.nonce < next) return 'NONCE_TOO_LOW';
    if (pending !== undefined && priceOf(newcomer) <= priceOf(pending)) return 'REPLACEMENT_UNDERPRICED';
    return undefined;
  }
}

const keyOf = ({ sender, nonce }: SignedTransaction) => `${sender} ${nonce}`;
const priceOf = (transaction: SignedTransaction) => (transaction as { gasPrice: bigint }).gasPrice;

/** Takes what a block would take, at most so many. */
function select(pool: TransactionPool, most: number): SignedTransaction[] {
  const { selection, release } = pool.select();
  const taken: SignedTransaction[] = [];
  while (taken.length < most) {
    const entry = selection.next();
    if (entry === undefined) break;
    taken.push(entry.transaction);
    selection.accept(entry);
  }
  release();
  return taken;
}

describe('the pool and its journal', () => {
  it('hold exactly the transactions that were accepted and neither mined nor replaced, over failures and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const journal = new ModelJournal();
        const chain = new ModelChain(journal);
        const model = new Model();
        const open = () =>
          openTransactionPool({
            chain: chain.open(),
            journal,
            logger: silentLogger,
            metrics: silentMetrics,
          });
        let pool = await open();
        for (const one of steps) {
          if (one.kind === 'break') journal.broken = one.broken;
          else if (one.kind === 'restart') pool = await open();
          else if (one.kind === 'mine') {
            const taken = select(pool, one.most);
            chain.mine(taken);
            for (const transaction of taken) expect(model.waiting.delete(keyOf(transaction))).toBe(true);
          } else if (one.offers.length === 1) {
            const [{ sender, nonce, price }] = one.offers as [(typeof one.offers)[number]];
            await offerOne(offers[sender]?.[nonce]?.[price] as SignedTransaction);
          } else {
            await offerTogether(
              one.offers.map(
                ({ sender, nonce, price }) => offers[sender]?.[nonce]?.[price] as SignedTransaction,
              ),
            );
          }
          await check();
        }

        async function offerOne(transaction: SignedTransaction): Promise<void> {
          const expected =
            model.rejection(transaction, chain) ??
            (journal.broken ? 'the database is unavailable' : 'accepted');
          expect(await outcome(pool.add(transaction))).toBe(expected);
          if (expected === 'accepted') model.waiting.set(keyOf(transaction), transaction);
        }

        /** Of those that come together it depends on the order who wins, but not that the best one does. */
        async function offerTogether(transactions: readonly SignedTransaction[]): Promise<void> {
          const results = await Promise.all(
            transactions.map((transaction) => outcome(pool.add(transaction))),
          );
          transactions.forEach((transaction, index) => {
            if (results[index] !== 'accepted') return;
            const best = model.waiting.get(keyOf(transaction));
            if (best === undefined || priceOf(best) < priceOf(transaction)) {
              model.waiting.set(keyOf(transaction), transaction);
            }
          });
        }

        async function check(): Promise<void> {
          const expected = new Set([...model.waiting.values()].map(({ hash }) => hash));
          expect(new Set(journal.rows.keys())).toEqual(expected);
          const { pending, queued } = pool.content();
          expect(new Set([...pending.values(), ...queued.values()].flat().map(({ hash }) => hash))).toEqual(
            expected,
          );
          expect(pool.size).toBe(expected.size);
          for (const sender of senders) {
            let gap = chain.nonces.get(sender) ?? 0n;
            while (model.waiting.has(`${sender} ${gap}`)) gap += 1n;
            expect(await pool.pendingNonce(sender)).toBe(gap);
          }
          const minable = select(pool, Number.POSITIVE_INFINITY).map(({ hash }) => hash);
          expect(new Set(minable)).toEqual(new Set([...pending.values()].flat().map(({ hash }) => hash)));
        }
      }),
      { numRuns: 200 },
    );
  });
});

async function outcome(adding: Promise<Hash>): Promise<string> {
  try {
    await adding;
    return 'accepted';
  } catch (error) {
    return error instanceof RequestError ? error.code : (error as Error).message;
  }
}
