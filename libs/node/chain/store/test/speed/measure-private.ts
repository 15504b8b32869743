import { randomBytes } from 'node:crypto';
import { asBuffer, clientBytes } from '@tetrad/db';
import type { ComparedStatement } from '@tetrad/testkit';
import { addressToBytes, hashToBytes, parsePtmKey, type Address, type Hash } from '@tetrad/types';
import type pg from 'pg';
import { appendPrivateReceipts } from '../../src/hot/append-private-block.js';
import { findExtendedContract, listExtensions } from '../../src/hot/find-extensions.js';
import { findPrivateReceipts } from '../../src/hot/find-private-results.js';
import { movePrivateHead } from '../../src/hot/move-private-head.js';
import { appendExtensions } from '../../src/hot/write-extensions.js';
import { callsOn } from '../../src/node-client.js';
import type { StoredExtension, StoredPrivateReceipt } from '../../src/index.js';
import type { Stores } from './stores.js';
import { anyAddress, anyHash, nextNumber } from './sample-rows.js';

const RECEIPTS = 100;

const bytesOf = (hash: Hash) => clientBytes(hashToBytes(hash));
const bytesOfAddress = (address: Address) => clientBytes(addressToBytes(address));

const receiptRows = (blockNumber: number): StoredPrivateReceipt[] =>
  Array.from({ length: RECEIPTS }, (_, index) => ({
    blockNumber,
    index,
    hash: anyHash(),
    raw: randomBytes(200),
    sender: anyAddress(),
    status: 1,
    returnData: Buffer.alloc(0),
    firstLog: 0,
    logCount: 0,
    effects: { gasUsed: 30_000n, entered: [] },
  }));
const receiptData = ({
  hash,
  raw,
  sender,
  returnData,
  contractAddress: _,
  effects,
  ...row
}: StoredPrivateReceipt) => ({
  ...row,
  hash: bytesOf(hash),
  raw: clientBytes(raw),
  sender: bytesOfAddress(sender),
  returnData: clientBytes(returnData),
  ...(effects && { gasUsed: effects.gasUsed, entered: Buffer.concat(effects.entered.map(bytesOfAddress)) }),
});

const extensionRow = (): StoredExtension => ({
  management: anyAddress(),
  contract: anyAddress(),
  initiator: anyAddress(),
  recipient: anyAddress(),
  recipientKey: parsePtmKey(randomBytes(32).toString('base64')),
  creation: randomBytes(64),
  isInitiator: false,
  isRecipient: false,
});
const extensionData = ({ management, contract, initiator, recipient, ...row }: StoredExtension) => ({
  management: bytesOfAddress(management),
  contract: bytesOfAddress(contract),
  initiator: bytesOfAddress(initiator),
  recipient: bytesOfAddress(recipient),
  recipientKey: Buffer.from(row.recipientKey, 'base64'),
  creation: clientBytes(row.creation),
  isInitiator: row.isInitiator,
  isRecipient: row.isRecipient,
});

/** What every followed block of private state waits for. */
export async function measureFollowing({ database, client, byClient }: Stores): Promise<ComparedStatement[]> {
  const { pool } = database;
  const head = { number: 0, hash: anyHash() };
  await movePrivateHead(pool, head, -1);
  const data = { number: 0n, hash: bytesOf(head.hash) };
  const active = {
    orderBy: [{ startedBlock: 'asc' as const }, { management: 'asc' as const }],
    take: 10_000,
  };
  const mine = [{ isInitiator: true }, { isRecipient: true }];
  const inBlock = (work: (statements: pg.PoolClient) => Promise<unknown>) => () => database.transaction(work);
  return [
    {
      statement: 'move-private-head',
      rows: 1,
      client: () =>
        client.transaction((own) => own.privateHead.updateMany({ where: { id: 1, number: 0n }, data })),
      sql: () => database.transaction((statements) => movePrivateHead(statements, head, 0)),
    },
    {
      statement: 'find-extensions',
      rows: 0,
      client: byClient(async (calls) => {
        await calls.privateExtension.findMany({ where: { finishedBlock: null, OR: mine }, ...active });
        await calls.privateExtension.findMany({ where: { finishedBlock: null }, ...active });
      }),
      sql: async () => {
        await listExtensions(pool, 'list-active-extensions');
        await listExtensions(pool, 'list-known-extensions');
      },
    },
    {
      statement: 'write-extensions',
      rows: 1,
      client: inBlock(async (statements) => {
        const own = await callsOn(statements);
        const row = { ...extensionData(extensionRow()), startedBlock: nextNumber() };
        await own.privateExtension.createMany({ data: [row], skipDuplicates: true });
      }),
      sql: inBlock((statements) => appendExtensions(statements, nextNumber(), [extensionRow()])),
    },
  ];
}

/** Results of private transactions. */
export async function measureResults({ database: { pool }, byClient }: Stores): Promise<ComparedStatement[]> {
  const receipts = receiptRows(nextNumber());
  await appendPrivateReceipts(pool, receipts);
  const hash = bytesOf(receipts[0]?.hash as Hash);
  const management = anyAddress();
  return [
    {
      statement: 'append-private-block',
      rows: RECEIPTS,
      client: byClient((calls) =>
        calls.privateReceipt.createMany({ data: receiptRows(nextNumber()).map(receiptData) }),
      ),
      sql: () => appendPrivateReceipts(pool, receiptRows(nextNumber())),
    },
    {
      statement: 'find-private-results',
      rows: 1,
      client: byClient((calls) => calls.privateReceipt.findUnique({ where: { hash } })),
      sql: () => findPrivateReceipts(pool, 'find-private-receipt', asBuffer(hash)),
    },
    {
      statement: 'find-extensions',
      rows: 1,
      client: byClient((calls) =>
        calls.privateExtension.findUnique({ where: { management: bytesOfAddress(management) } }),
      ),
      sql: () => findExtendedContract(pool, management, 9),
    },
  ];
}
