import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from '@tetrad/db';
import { decodeBareReceipt, encodeBareReceipt } from '@tetrad/node-block';
import { decodeTransaction, type Genesis } from '@tetrad/node-execution';
import type { StatePort, WirePast } from '@tetrad/node-peer';
import { silentMetrics, systemClock, type Address, type Hash } from '@tetrad/types';
import {
  CHAIN_ID,
  testGenesis,
  transfer,
  type TestLedger,
} from '../../consensus-bft-chain/test/open-test-ledger.js';
import { TestLedgers, blocksOf } from '../../consensus-bft-chain/test/test-ledgers.js';
import { CollectedLog } from '../../peer/test/collected-log.js';
import { eventually } from '../../peer/test/eventually.js';
import { FakeNetwork, type FakeNode } from '../../peer/test/fake-node.js';
import { HistoryFill } from '../src/index.js';
import { A, B, C, D, append, startJoining, startPeer, statePortOf } from './joining-chain.js';
import { whyLeft } from './why-left.js';

const ledgers = new TestLedgers();
const network = new FakeNetwork();
const fills: HistoryFill[] = [];
/** The database of a node that joined, without the past. */
let joinedUrl = '';
let opened: TestLedger;

beforeAll(async () => {
  await ledgers.begin();
  await growChain();
  const joining = await startJoining({ ledgers, network }, [await startPeer(network, chain)], { genesis });
  expect(await joining.run()).toBe(JOINED);
  joinedUrl = joining.url;
  await network.stop();
});
afterAll(() => ledgers.end());
beforeEach(async () => {
  opened = await ledgers.open(joinedUrl, { genesis });
});
afterEach(async () => {
  for (const fill of fills.splice(0)) await fill.close();
  await network.stop();
  const emptied = 'DELETE FROM transaction; DELETE FROM log; UPDATE state_sync SET filled_from = NULL';
  await opened.database.pool.query(emptied);
  await ledgers.close(opened);
});

/** Logs its input with a topic; fails with data; both have wei. */
const LOGGER = `0x${'c1'.repeat(20)}` as Address;
const FAILING = `0x${'c2'.repeat(20)}` as Address;
const JOINED = 40;
const genesis = withContracts(testGenesis({ blockPeriodMs: 1000, validatorKeys: [A, B, C, D] }));
let chain: TestLedger;

function withContracts(plain: Genesis): Genesis {
  const account = { balance: 0n, nonce: 1n, storage: [] };
  const code = (hex: string) => ({ ...account, code: Buffer.from(hex, 'hex') });
  const contracts = [
    { ...code('3660006000376007366000a100'), address: LOGGER },
    { ...code('60016000fd'), address: FAILING },
  ];
  return { ...plain, alloc: [...plain.alloc, ...contracts] };
}

/** A chain with logs, failures, creations and empty blocks. */
async function growChain(): Promise<void> {
  chain = await ledgers.open(ledgers.url, { genesis });
  const call = { gas: 100_000n, value: 0n };
  for (let nonce = 0; nonce < JOINED; nonce++) {
    const data = Buffer.alloc(40 + nonce, nonce);
    await append(
      chain,
      nonce % 4 === 3
        ? []
        : [
            transfer(0, nonce - Math.floor(nonce / 4), { to: LOGGER, data, ...call }),
            transfer(1, nonce - Math.floor(nonce / 4), nonce % 2 === 0 ? { to: FAILING, ...call } : {}),
            transfer(2, nonce - Math.floor(nonce / 4), { to: null, data: Buffer.of(0x00), ...call }),
          ],
    );
  }
  await append(chain);
}

/** A node that has these peers. */
async function connect(peers: readonly FakeNode[]): Promise<FakeNode> {
  const genesisHash = (await opened.ledger.findHeader(0))?.hash as Hash;
  const staticPeers = peers.map(({ enode }) => enode);
  const node = await network.start({ genesisHash, staticPeers, takesNoBlocks: true });
  node.chain.head = () => opened.ledger.head();
  await eventually(() => node.network.states.sources().length === peers.length, 'all peers');
  return node;
}

function startFill(node: FakeNode, lowest = 1) {
  const { ledger, store } = opened;
  const log = new CollectedLog();
  const fill = HistoryFill.start({
    ledger,
    store,
    peers: node.network.states,
    decode: async (raw, hash) => decodeTransaction(raw, BigInt(CHAIN_ID), hash),
    lowest,
    isDatabaseUnavailable,
    clock: systemClock,
    logger: log,
    metrics: silentMetrics,
  });
  fills.push(fill);
  return { fill, log };
}

/** Blocks, receipts and logs from the block on are those of the node that executed everything; rows are equal too. */
async function assertFilled(from = 1): Promise<void> {
  expect(opened.ledger.blockHorizon.oldest).toBe(from);
  for (const block of (await blocksOf(chain)).slice(from - 1, JOINED)) {
    expect(await opened.ledger.findBlock(block.header.number)).toEqual(block);
    expect(await opened.ledger.findBlock(block.hash)).toEqual(block);
    expect(await opened.ledger.listReceipts(block)).toEqual(await chain.ledger.listReceipts(block));
    for (const { hash } of block.transactions) {
      expect(await opened.ledger.findReceipt(hash)).toEqual(await chain.ledger.findReceipt(hash));
      expect(await opened.ledger.findTransaction(hash)).toEqual(await chain.ledger.findTransaction(hash));
    }
  }
  const filter = { addresses: [LOGGER], topics: [], fromBlock: from, toBlock: JOINED };
  const logs = await chain.ledger.listLogs(filter, 1_000);
  expect(logs.length).toBeGreaterThan(0);
  expect(await opened.ledger.listLogs(filter, 1_000)).toEqual(logs);
  for (const table of ['transaction', 'log']) {
    const text = `SELECT * FROM "${table}" WHERE block_number >= ${from} ORDER BY block_number, index`;
    const rows = await Promise.all([chain, opened].map(({ database }) => database.pool.query(text)));
    expect(rows[1]?.rows).toEqual(rows[0]?.rows);
  }
}

/** Answers so many blocks at a time. */
const inPieces = (honest: StatePort, blocks: number): StatePort['history'] => {
  return (question) => honest.history({ ...question, limit: Math.min(blocks, question.limit) });
};

describe('a node that joined by state', () => {
  it('fills in the past from its peers, and names how far it is before', async () => {
    const node = await connect([await startPeer(network, chain), await startPeer(network, chain)]);
    await expect(opened.ledger.findBlock(JOINED)).rejects.toMatchObject({
      code: 'BLOCK_NOT_AVAILABLE',
      message: expect.stringContaining(`from block ${JOINED + 1} on`),
      data: { joinedBlock: JOINED, oldestBlock: JOINED + 1 },
    });
    await startFill(node).fill.done;
    await assertFilled();
    expect((await opened.store.stateSync.find())?.filledFrom).toBe(1);
  });

  it('fills in no more than is wanted, and more when it is started so', async () => {
    const node = await connect([await startPeer(network, chain)]);
    await startFill(node, 31).fill.done;
    await assertFilled(31);
    for (const refused of [
      opened.ledger.findBlock(30),
      opened.ledger.listLogs({ addresses: [], topics: [], fromBlock: 30, toBlock: 40 }, 10),
    ])
      await expect(refused).rejects.toMatchObject({ data: { oldestBlock: 31 } });
    expect((await opened.ledger.listHeaders(30, 30)).length).toBe(1);
    await startFill(node).fill.done;
    await assertFilled();
  });

  it('goes on where it ended, however often that is', async () => {
    let ending: HistoryFill | undefined;
    let answers = 0;
    const honest = statePortOf(chain);
    const peer = await startPeer(network, chain, {
      history: async (question) => {
        answers += 1;
        if (answers % 2 === 0) void ending?.close();
        return inPieces(honest, 5)(question);
      },
    });
    const node = await connect([peer]);
    let runs = 0;
    for (let oldest = JOINED + 1; oldest > 1; runs++) {
      ending = startFill(node).fill;
      await ending.done;
      await ledgers.close(opened);
      opened = await ledgers.open(joinedUrl, { genesis });
      oldest = opened.ledger.blockHorizon.oldest;
    }
    expect(runs).toBeGreaterThan(2);
    await assertFilled();
  });

  const first = (past: readonly (WirePast | undefined)[], change: (one: WirePast) => WirePast) =>
    past.map((one) => one && (one.transactions.length === 0 ? one : change(one)));

  it.each<[string, string, (honest: StatePort) => Partial<StatePort>]>([
    [
      'leaves out a transaction',
      'transactions of another block',
      ({ history }) => ({
        history: async (question) =>
          first(await history(question), (one) => ({
            transactions: one.transactions.slice(1),
            receipts: one.receipts.slice(1),
          })),
      }),
    ],
    [
      'gives the transactions of another block',
      'transactions of another block',
      ({ history }) => ({ history: (question) => history({ ...question, from: question.from - 2 }) }),
    ],
    [
      'changes a receipt',
      'receipts of another block',
      ({ history }) => ({
        history: async (question) =>
          first(await history(question), ({ transactions, receipts: [changed, ...others] }) => {
            const receipt = decodeBareReceipt(changed as Uint8Array, 'legacy');
            return { transactions, receipts: [encodeBareReceipt({ ...receipt, logs: [] }), ...others] };
          }),
      }),
    ],
    [
      'gives invalid receipts',
      'invalid receipt',
      ({ history }) => ({
        history: async (question) =>
          first(await history(question), ({ transactions }) => ({
            transactions,
            receipts: transactions.map(() => Uint8Array.of(1)),
          })),
      }),
    ],
    [
      'gives fewer receipts than transactions',
      'transactions without receipts',
      ({ history }) => ({
        history: async (question) =>
          first(await history(question), ({ transactions }) => ({ transactions, receipts: [] })),
      }),
    ],
    [
      'has headers only',
      'does not have the transactions',
      () => ({ history: async ({ limit }) => Array(limit).fill(undefined) }),
    ],
    ['gives nothing', 'does not have the transactions', () => ({ history: async () => [] })],
    [
      'fails at everything',
      'the peer is busy',
      () => ({ history: () => Promise.reject(new Error('no database')) }),
    ],
  ])('leaves a peer that %s for an honest one: %s', async (_, reason, attack) => {
    const honest = await startPeer(network, chain);
    const attacker = await startPeer(network, chain, attack(statePortOf(chain)));
    const node = await connect([attacker, honest]);
    const { fill, log } = startFill(node);
    await fill.done;
    expect(whyLeft(log.lines, attacker)).toContain(reason);
    await assertFilled();
  });

  it('waits for a peer that has the past', async () => {
    const node = await connect([await startPeer(network, chain, { history: async () => [undefined] })]);
    const { fill, log } = startFill(node);
    await eventually(() => log.complaints('no peer has the past') > 0);
    expect(opened.ledger.blockHorizon.oldest).toBe(JOINED + 1);
    await fill.close();
    expect((await opened.store.stateSync.find())?.filledFrom).toBeUndefined();
  });

  it('serves to the next one what it has, and no more', async () => {
    const node = await connect([await startPeer(network, chain)]);
    await startFill(node, 31).fill.done;
    const { history } = statePortOf(opened);
    const budget = { byteBudget: 1_000_000 };
    const served = await history({ from: 33, limit: 5, ...budget });
    expect(served).toEqual([
      ...(await statePortOf(chain).history({ from: 33, limit: 3, ...budget })),
      undefined,
      undefined,
    ]);
    expect(await history({ from: 38, limit: 5, byteBudget: 1 })).toHaveLength(1);
    expect(await history({ from: 2, limit: 9, ...budget })).toHaveLength(2);
    expect(await history({ from: 99, limit: 5, ...budget })).toEqual([]);
  });
});
