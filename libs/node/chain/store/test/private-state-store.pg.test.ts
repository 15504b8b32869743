import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import { parseAddress, parseHash, parsePtmKey, type Hash } from '@tetrad/types';
import {
  LedgerStoreError,
  type StoredLog,
  type PrivateBlockWrite,
  type StoredPrivateReceipt,
} from '../src/index.js';
import { StoreFixture } from './store-fixture.js';

const open = StoreFixture.forEachTest();

const hashOf = (seed: number): Hash => parseHash(`0x${seed.toString(16).padStart(64, '0')}`);
const CONTRACT = parseAddress(`0x${'c0'.repeat(20)}`);
const SENDER = parseAddress(`0x${'5e'.repeat(20)}`);
const head = (number: number) => ({ number, hash: hashOf(number) });
const bytes = (text: string) => ({ hash: keccak256(Buffer.from(text)), bytes: Buffer.from(text) });

const receipt = (blockNumber: number): StoredPrivateReceipt => ({
  blockNumber,
  index: 2,
  hash: hashOf(100 + blockNumber),
  raw: Buffer.from('raw'),
  sender: SENDER,
  status: 1,
  contractAddress: CONTRACT,
  returnData: Buffer.alloc(0),
  firstLog: 3,
  logCount: 1,
  effects: { gasUsed: 21_000n, entered: [SENDER, CONTRACT] },
});

const log = (blockNumber: number): StoredLog => ({
  blockNumber,
  index: 3,
  transactionIndex: 2,
  address: CONTRACT,
  topics: [hashOf(7), hashOf(8)],
  data: Buffer.from('data'),
});

const write = (blockNumber: number, privacyFlag = 1): PrivateBlockWrite => ({
  stateRoot: hashOf(1000 + blockNumber),
  receipts: [receipt(blockNumber)],
  logs: [log(blockNumber)],
  contracts: [{ address: CONTRACT, creation: Buffer.alloc(64, blockNumber), privacyFlag }],
  extensions: { started: [], approved: [], finished: [] },
  nodes: [bytes(`node ${blockNumber}`)],
  codes: [bytes('code')],
  preimages: [bytes('preimage')],
});

describe('private state', () => {
  it('moves from block to block, over blocks without private transactions', async () => {
    const { privateState } = open.store;
    expect(await privateState.findHead()).toBeUndefined();
    await privateState.moveHead(head(0), -1);
    await privateState.moveHead(head(9), 0);
    await privateState.moveHead(head(10), 9, write(10));
    expect(await privateState.findHead()).toEqual(head(10));
    await open.reopen();
    expect(await open.store.privateState.findHead()).toEqual(head(10));
  });

  it('refuses a block that does not follow its head, and stores nothing of it', async () => {
    const { privateState } = open.store;
    await expect(privateState.moveHead(head(5), 4, write(5))).rejects.toThrow(LedgerStoreError);
    await privateState.moveHead(head(4), -1);
    await expect(privateState.moveHead(head(4), -1)).rejects.toThrow(LedgerStoreError);
    await expect(privateState.moveHead(head(6), 5, write(6))).rejects.toThrow(LedgerStoreError);
    expect(await privateState.findHead()).toEqual(head(4));
    expect(await privateState.findRoot(6)).toBeUndefined();
    expect(await privateState.listReceipts(6)).toEqual([]);
  });

  it('finds the results of a block', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(10), -1, write(10));
    expect(await privateState.findReceipt(hashOf(110))).toEqual(receipt(10));
    expect(await privateState.findReceipt(hashOf(111))).toBeUndefined();
    expect(await privateState.listReceipts(10)).toEqual([receipt(10)]);
    expect(await privateState.listLogs(10)).toEqual([log(10)]);
    expect(await privateState.findNode(keccak256(Buffer.from('node 10')))).toEqual(Buffer.from('node 10'));
    expect(await privateState.findCode(keccak256(Buffer.from('code')))).toEqual(Buffer.from('code'));
    expect(await privateState.findPreimage(keccak256(Buffer.from('preimage')))).toEqual(
      Buffer.from('preimage'),
    );
    expect(await open.store.findNode(keccak256(Buffer.from('node 10')))).toBeUndefined();
    expect(await open.store.findCode(keccak256(Buffer.from('code')))).toBeUndefined();
  });

  it('has the root and the contracts of every block', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(10), -1, write(10));
    await privateState.moveHead(head(12), 10, { ...write(12, 3), codes: [], preimages: [] });
    expect(await Promise.all([9, 10, 11, 12, 13].map((number) => privateState.findRoot(number)))).toEqual([
      undefined,
      hashOf(1010),
      hashOf(1010),
      hashOf(1012),
      hashOf(1012),
    ]);
    const flagAt = async (number: number) =>
      (await privateState.findContracts([CONTRACT, SENDER], number)).map(({ privacyFlag }) => privacyFlag);
    expect(await Promise.all([9, 11, 12].map(flagAt))).toEqual([[], [1], [3]]);
    expect(await privateState.findContracts([], 12)).toEqual([]);
  });

  it('is set back to a block, and goes on from there as if nothing had followed', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(10), -1, write(10));
    await privateState.moveHead(head(12), 10, { ...write(12, 3), codes: [], preimages: [] });
    await privateState.setBack(head(11));
    expect(await privateState.findHead()).toEqual(head(11));
    expect([await privateState.findRoot(12), await privateState.listReceipts(12)]).toEqual([
      hashOf(1010),
      [],
    ]);
    expect(await privateState.listLogs(12)).toEqual([]);
    expect((await privateState.findContracts([CONTRACT], 12)).map((row) => row.privacyFlag)).toEqual([1]);
    expect(await privateState.listReceipts(10)).toEqual([receipt(10)]);
    await privateState.moveHead(head(12), 11, { ...write(12, 3), codes: [], preimages: [] });
    expect(await privateState.findRoot(12)).toBe(hashOf(1012));
    await privateState.setBack(undefined);
    expect([await privateState.findHead(), await privateState.findRoot(12)]).toEqual([undefined, undefined]);
    await privateState.moveHead(head(10), -1, write(10));
  });

  it('finds private logs among the public ones only on request', async () => {
    const { store } = open;
    const query = { fromBlock: 0, toBlock: 20, addresses: [], topics: [[hashOf(7)]], limit: 10 };
    const header = { number: 0, hash: hashOf(0), stateRoot: hashOf(0), timestamp: 1n, header: Buffer.of(1) };
    await store.initialise(
      { chainId: 1337n, genesisHash: hashOf(0) },
      {
        block: { ...header, totalTransactions: 3 },
        parentHash: hashOf(0),
        logs: [],
        transactions: [0, 1, 2].map((index) => ({
          blockNumber: 0,
          index,
          hash: hashOf(50 + index),
          sender: SENDER,
          raw: Buffer.of(index),
          status: 1,
          gasUsed: 0n,
          cumulativeGasUsed: 0n,
          firstLog: 0,
          logCount: 0,
        })),
        nodes: [],
        codes: [],
        preimages: [],
        joined: [],
      },
    );
    await store.privateState.moveHead(head(0), -1, write(0));
    expect(await store.findLogs(query)).toEqual([]);
    const found = await store.findLogs({ ...query, includePrivate: true });
    expect(found).toEqual([
      { ...log(0), blockHash: hashOf(0), blockTimestamp: 1n, transactionHash: hashOf(52) },
    ]);
  });
});

describe('the creation of a private contract', () => {
  it('is the last transaction at its address that succeeded', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(0), -1);
    expect(await privateState.findCreation(CONTRACT)).toBeUndefined();
    const failed = { ...receipt(1), raw: Buffer.from('failed'), status: 0 as const };
    await privateState.moveHead(head(1), 0, { ...write(1), receipts: [failed] });
    expect(await privateState.findCreation(CONTRACT)).toBeUndefined();
    await privateState.moveHead(head(2), 1, write(2));
    expect(await privateState.findCreation(CONTRACT)).toEqual(receipt(2).raw);
    expect(await privateState.findCreation(SENDER)).toBeUndefined();
  });
});

describe('extensions of private contracts', () => {
  const PTM_KEY = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
  const management = (index: number) => parseAddress(`0x${'00'.repeat(19)}0${index}`);
  const started = (index: number, roles: { isInitiator?: boolean; isRecipient?: boolean }) => ({
    management: management(index),
    contract: CONTRACT,
    initiator: SENDER,
    recipient: CONTRACT,
    recipientKey: PTM_KEY,
    creation: Buffer.alloc(64, index),
    isInitiator: false,
    isRecipient: false,
    ...roles,
  });
  const writeOf = (blockNumber: number, extensions: Partial<PrivateBlockWrite['extensions']>) => ({
    ...write(blockNumber),
    receipts: [],
    logs: [],
    contracts: [],
    extensions: { started: [], approved: [], finished: [], ...extensions },
  });

  it('that began after the block to which private state is set back are gone, and those before it are as they were', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(1), -1, writeOf(1, { started: [started(1, { isInitiator: true })] }));
    await privateState.moveHead(head(2), 1, writeOf(2, { started: [started(2, { isInitiator: true })] }));
    await privateState.moveHead(head(3), 2, writeOf(3, { approved: [management(1)] }));
    await privateState.moveHead(head(4), 3, writeOf(4, { finished: [management(1)] }));
    await privateState.setBack(head(1));
    expect(await privateState.listExtensions()).toEqual([
      { ...started(1, { isInitiator: true }), isApproved: false },
    ]);
  });

  it('are listed on participating nodes, from their start until they end, and are known after a restart', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(0), -1);
    const others = started(3, {});
    const rows = [started(1, { isInitiator: true }), started(2, { isRecipient: true }), others];
    await privateState.moveHead(head(1), 0, writeOf(1, { started: rows }));
    const active = rows.slice(0, 2).map((row) => ({ ...row, isApproved: false }));
    expect(await privateState.listExtensions()).toEqual(active);
    expect(await privateState.findExtension(management(3))).toEqual({ ...others, isApproved: false });
    const known = [...active, { ...others, isApproved: false }];
    expect(await privateState.listKnownExtensions()).toEqual(known);
    expect(await privateState.listExtensionsOf(CONTRACT)).toEqual(known);
    expect(await privateState.listExtensionsOf(SENDER)).toEqual([]);
    await privateState.moveHead(head(2), 1, writeOf(2, { approved: [management(1), management(9)] }));
    await open.reopen();
    const again = open.store.privateState;
    expect((await again.listExtensions()).map(({ isApproved }) => isApproved)).toEqual([true, false]);
    await again.moveHead(head(3), 2, writeOf(3, { finished: [management(1), management(3)] }));
    expect(await again.listExtensions()).toEqual(active.slice(1));
    expect(await again.listExtensionsOf(CONTRACT)).toEqual(active.slice(1));
    expect(await again.listExtendedTo([CONTRACT, SENDER], PTM_KEY)).toEqual([CONTRACT]);
    expect(await again.listExtendedTo([SENDER], PTM_KEY)).toEqual([]);
    expect(await again.findExtension(management(1))).toBeUndefined();
    expect(await again.findExtension(management(3))).toBeUndefined();
    const ended = { ...rows[0], approvedBlock: 2, finishedBlock: 3 };
    expect(await again.findAnyExtension(management(1))).toEqual(ended);
    expect(await again.findAnyExtension(management(2))).toEqual(rows[1]);
    expect(await again.findAnyExtension(management(9))).toBeUndefined();
    // The third has ended without an approval.
    expect(await again.listEndedExtensions(CONTRACT)).toEqual([ended]);
    expect(await again.listEndedExtensions(SENDER)).toEqual([]);
  });

  it('block another one of the same contract only where this node started them', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(0), -1);
    await privateState.moveHead(head(1), 0, writeOf(1, { started: [started(1, { isRecipient: true })] }));
    expect(await privateState.isExtending(CONTRACT)).toBe(false);
    await privateState.moveHead(head(2), 1, writeOf(2, { started: [started(2, { isInitiator: true })] }));
    expect(await privateState.isExtending(CONTRACT)).toBe(true);
    await privateState.moveHead(head(3), 2, writeOf(3, { finished: [management(2)] }));
    expect(await privateState.isExtending(CONTRACT)).toBe(false);
  });

  it('may start and end in one block, and are not started again', async () => {
    const { privateState } = open.store;
    await privateState.moveHead(head(0), -1);
    const row = started(1, { isInitiator: true });
    const both = { started: [row], approved: [row.management], finished: [row.management] };
    await privateState.moveHead(head(1), 0, writeOf(1, both));
    await privateState.moveHead(head(2), 1, writeOf(2, { started: [row] }));
    expect(await privateState.listExtensions()).toEqual([]);
  });
});
