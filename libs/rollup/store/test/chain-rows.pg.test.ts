import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { multiplyGenerator, sign } from '@tetrad/rollup-crypto';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hashFromBytes, parseAddress } from '@tetrad/types';
import { openRollupStore, type ChainEvents, type RollupStore, type StoredRequest } from '../src/index.js';

const TOKEN = parseAddress(`0x${'22'.repeat(20)}`);
/** Larger than a 64-bit number, and than what a double holds exactly. */
const UNIT = 10n ** 77n + 1n;
const AMOUNT = 2n ** 64n - 1n;
const NOTHING: ChainEvents = { tokens: [], deposits: [], requests: [] };

const block = (number: number) => ({ number, hash: hashFromBytes(new Uint8Array(32).fill(number % 256)) });
const deposit = (index: number, blockNumber: number) => ({
  index,
  accountId: 7,
  tokenId: 3,
  amount: AMOUNT,
  sender: TOKEN,
  blockNumber,
});
const request = (blockNumber: number, logIndex: number, overdueAt: number) => ({
  blockNumber,
  logIndex,
  overdueAt,
  accountId: 7,
  recipient: TOKEN,
  tokenId: 3,
  amount: AMOUNT,
});
const SIGNATURE = sign(3n, 5n);
const asked = (blockNumber: number, logIndex: number): StoredRequest => ({
  blockNumber,
  logIndex,
  height: 0,
  nonce: 1,
  tokenId: 3,
  amount: AMOUNT,
  hash: 2n ** 250n + 5n,
  operation: {
    kind: 'outboundTransfer',
    fromAccountId: 7,
    toEthereumAddress: TOKEN,
    tokenId: 3,
    amount: AMOUNT,
    nonce: 1,
    signature: SIGNATURE,
  },
  proved: {
    id: 7,
    publicKey: multiplyGenerator(3n),
    jointKey: { hash: 2n ** 251n + 1n },
    blindingFactor: 2n ** 252n + 3n,
    nonce: 0,
    redemptionIndex: 2 ** 40,
    tokenId: 3,
    balance: AMOUNT,
    siblings: [1n, 2n ** 253n + 1n],
  },
});
/** More of a token than a 64-bit number, as units of a time-out are. */
const PROGRESS = 10n ** 39n + 7n;
const load = (progress: bigint) =>
  store.readRequestLoad([{ tokenId: 3, progress, held: 1n }], { atSeconds: 1_000, timeoutSeconds: 60 });

let test: TestDatabase;
let database: Database;
let store: RollupStore;

beforeAll(async () => {
  test = await createTestDatabase('rollup-operator');
  database = await connectDatabase({ url: test.url });
  store = openRollupStore(database);
});

beforeEach(async () => {
  await database.pool.query(
    'TRUNCATE batch, deposit, chain_block, token, outbound_request, requested_operation, frozen_rollup, operation, account_version; UPDATE sequence_head SET next_inbound = 0',
  );
});

afterAll(async () => {
  await database?.close();
  await test?.drop();
});

async function indexes(): Promise<number[]> {
  const { rows } = await database.pool.query<{ index: number }>('SELECT index FROM deposit ORDER BY index');
  return rows.map(({ index }) => index);
}

describe('what the contract says', () => {
  it('is stored with the cursor, with numbers of any size, and once when a range is read twice', async () => {
    const events: ChainEvents = {
      tokens: [{ tokenId: 3, address: TOKEN, unit: UNIT, blockNumber: 4 }],
      deposits: [deposit(0, 4), deposit(1, 5)],
      requests: [request(5, 1, 90), request(4, 2, 100), request(5, 0, 101)],
    };
    await store.advanceChain(events, [block(4), block(5)]);
    await store.advanceChain(events, [block(4), block(5)]);
    expect(await store.listTokens()).toEqual([{ tokenId: 3, address: TOKEN, unit: UNIT }]);
    expect(await store.sequence((step) => step.readyDeposits(10))).toEqual(
      [0, 1].map((index) => ({ index, accountId: 7, tokenId: 3, amount: AMOUNT })),
    );
    expect(await store.listOverdueRequests(100, 10)).toEqual([request(4, 2, 100), request(5, 1, 90)]);
    expect(await store.listOverdueRequests(100, 1)).toEqual([request(4, 2, 100)]);
    expect(await store.listChainBlocks(1)).toEqual([block(5)]);
  });

  it('keeps a thousand blocks behind the cursor', async () => {
    await store.advanceChain(NOTHING, [block(1), block(2), block(3)]);
    await store.advanceChain(NOTHING, [block(1_002)]);
    expect((await store.listChainBlocks(10)).map(({ number }) => number)).toEqual([1_002, 3, 2]);
  });

  it('is written again when the cursor did not move: its block may be another one', async () => {
    await store.advanceChain(NOTHING, [block(4)]);
    await store.addChainEvents({ ...NOTHING, deposits: [deposit(0, 5), deposit(1, 5)] });
    await store.addChainEvents({ ...NOTHING, deposits: [deposit(0, 6)] });
    expect(await indexes()).toEqual([0]);
  });

  it('is written again of requests and of a freeze too', async () => {
    await store.advanceChain(NOTHING, [block(4)]);
    const frozen = { height: 2, blockNumber: 5 };
    await store.addChainEvents({ ...NOTHING, requested: [asked(5, 0), asked(5, 1)], frozen });
    expect(await store.findFrozen()).toEqual(frozen);
    expect(await store.listUnmeasured(10)).toHaveLength(2);
    await store.addChainEvents({ ...NOTHING, requested: [asked(6, 3)] });
    expect(await store.findFrozen()).toBeUndefined();
    expect(await store.listUnmeasured(10)).toEqual([{ blockNumber: 6, logIndex: 3, accountId: 7 }]);
  });
});

describe('what holders ask the contract for', () => {
  const OLD_VERSION = `INSERT INTO account_version (account_id, batch_height, nonce, redemption_index, balances)
                       VALUES (7, 1, 0, 0, '{}')`;

  it('is measured once, with numbers of any size, and counted until it is answered', async () => {
    await store.advanceChain({ ...NOTHING, requested: [asked(5, 1), asked(4, 2)] }, [block(4), block(5)]);
    expect(await store.listUnmeasured(1)).toEqual([{ blockNumber: 4, logIndex: 2, accountId: 7 }]);
    expect(await load(0n)).toEqual({ open: 2, failing: 0, overdueAt: undefined });
    await store.measureRequest({ blockNumber: 4, logIndex: 2 }, { since: 900, progress: PROGRESS });
    expect(await store.listUnmeasured(10)).toEqual([{ blockNumber: 5, logIndex: 1, accountId: 7 }]);
    expect(await load(PROGRESS)).toEqual({ open: 2, failing: 0, overdueAt: 1_000 });
    // A second for every 2^72, rounded up.
    expect((await load(PROGRESS - 3n * 2n ** 71n)).overdueAt).toBe(1_002);
    expect(await store.listRequestedTokens()).toEqual([3]);
    await store.sequence((step) => step.failRequest({ blockNumber: 5, logIndex: 1 }, 'ACCOUNT_CHANGED'));
    expect(await load(0n)).toMatchObject({ open: 2, failing: 1 });
  });

  it('is listed when it is due by a time, the first one first, and so many of them at most', async () => {
    const of = (id: number, blockNumber: number): StoredRequest => {
      const { operation, proved, ...place } = asked(blockNumber, 1);
      return {
        ...place,
        hash: BigInt(id),
        operation: { ...operation, fromAccountId: id } as typeof operation,
        proved: { ...proved, id },
      };
    };
    const requested = [of(7, 3), of(8, 4), of(9, 5), of(10, 6), of(11, 7)];
    await store.advanceChain({ ...NOTHING, requested }, [block(7)]);
    const second = 2n ** 72n;
    const measure = (blockNumber: number, since: number, progress: bigint) =>
      store.measureRequest({ blockNumber, logIndex: 1 }, { since, progress });
    // Of account 11 the contract was not asked yet.
    await measure(3, 970, 0n);
    await measure(4, 900, 20n * second);
    await measure(5, 990, 0n);
    // Dust, which comes before the others, and is due much later.
    await measure(6, 1, 1_000_000n * second);
    const due = (untilSeconds: number, limit = 10) =>
      store.listRequestsDue([{ tokenId: 3, progress: 0n, held: 1n }], {
        atSeconds: 1_000,
        timeoutSeconds: 60,
        untilSeconds,
        limit,
      });
    expect(await due(1_019)).toEqual([]);
    expect(await due(1_030)).toEqual([8, 7]);
    expect(await due(1_050)).toEqual([8, 7, 9]);
    expect(await due(1_050, 2)).toEqual([8, 7]);
    expect(await due(2_000_000)).toEqual([8, 7, 9, 10]);
    const serving = [{ tokenId: 3, progress: 1_000_000n * second, held: 1n }];
    const at = { atSeconds: 1_000, timeoutSeconds: 60, untilSeconds: 1_000, limit: 10 };
    expect(await store.listRequestsDue(serving, at)).toEqual([10, 8]);
  });

  it('becomes an operation, the same as was asked for, unless its account did another since', async () => {
    await store.advanceChain({ ...NOTHING, requested: [asked(4, 2), asked(4, 3)] }, [block(4)]);
    await database.pool.query(OLD_VERSION);
    const { operation, proved, hash } = asked(4, 2);
    const [open, ...others] = await store.sequence((step) => step.openRequests([], 10));
    expect(others).toEqual([]);
    expect(open).toMatchObject({ proved, stored: { hash, operation, status: 'PENDING' }, isNew: true });
    const again = await store.sequence((step) => step.openRequests([], 10));
    expect(again).toEqual([{ ...open, isNew: false }]);
    expect(await store.sequence((step) => step.requestedWith(7, 1))).toMatchObject([{ hash, operation }]);
    expect(await store.sequence((step) => step.requestedWith(7, 2))).toEqual([]);
    await database.pool.query('UPDATE account_version SET nonce = 1');
    expect(await store.sequence((step) => step.openRequests([], 10))).toEqual([]);
  });
});

describe('a reorganization', () => {
  it('forgets later blocks and what they said', async () => {
    const events: ChainEvents = {
      tokens: [{ tokenId: 0, address: ZERO_ADDRESS, unit: 1n, blockNumber: 5 }],
      deposits: [deposit(0, 4), deposit(1, 5)],
      requests: [request(4, 0, 1), request(5, 0, 1)],
      requested: [asked(4, 1), asked(5, 1)],
      frozen: { height: 1, blockNumber: 5 },
    };
    await store.advanceChain(events, [block(4), block(5)]);
    expect(await store.rewindChain(4)).toBe(true);
    expect(await store.listChainBlocks(10)).toEqual([block(4)]);
    expect(await store.listTokens()).toEqual([]);
    expect(await indexes()).toEqual([0]);
    expect(await store.listOverdueRequests(1, 10)).toEqual([request(4, 0, 1)]);
    expect(await store.listUnmeasured(10)).toMatchObject([{ blockNumber: 4, logIndex: 1 }]);
    expect(await store.findFrozen()).toBeUndefined();
  });

  it('waits for a batch that is taking a deposit, and then changes nothing', async () => {
    await store.advanceChain({ ...NOTHING, deposits: [deposit(0, 5)] }, [block(4), block(5)]);
    let rewound: Promise<boolean> | undefined;
    await store.sequence(async (step) => {
      rewound = store.rewindChain(4);
      await untilBlocked();
      await step.execute(taking(0), { ...step.head, nextInbound: 1 });
    });
    expect(await rewound).toBe(false);
    expect(await indexes()).toEqual([0]);
    expect(await store.listChainBlocks(10)).toEqual([block(5), block(4)]);
  });
});

/** What takes the deposit into the first batch. */
function taking(index: number) {
  const batch = { height: 1, operations: 1, size: 2, inboundFrom: 0, inboundTo: 1, state: 'open' } as const;
  return {
    executed: [],
    rejected: [],
    waiting: [],
    created: [],
    versions: [],
    opaque: [],
    orders: [],
    redeemed: [],
    credits: [],
    deposits: [{ index, batchHeight: 1, batchIndex: 0 }],
    batches: [batch],
  };
}

/** Resolves when a connection waits for a lock that another one holds. */
async function untilBlocked(): Promise<void> {
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await database.pool.query(waiting)).rowCount === 0)
    await new Promise((tick) => setTimeout(tick, 10));
}
