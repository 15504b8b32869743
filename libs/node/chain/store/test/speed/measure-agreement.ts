import { randomBytes } from 'node:crypto';
import { clientBytes } from '@tetrad/db';
import type { ComparedStatement } from '@tetrad/testkit';
import { parsePtmKey } from '@tetrad/types';
import { blockColumns, contractColumns, pairColumns } from '../../src/agreement-rows.js';
import { findAgreement } from '../../src/hot/find-agreement.js';
import { listBusyBlocks, listDueAgreement } from '../../src/hot/list-agreement.js';
import { saveAgreement } from '../../src/hot/save-agreement.js';
import { settleAgreement } from '../../src/hot/settle-agreement.js';
import { stateBlocks } from '../../src/hot/state-blocks.js';
import { hearPair } from '../../src/hot/tell-pairs.js';
import type { AgreementBlock, AgreementContract } from '../../src/index.js';
import type { NodeCalls } from '../../src/node-client.js';
import { anyAddress, anyHash, nextNumber } from './sample-rows.js';
import type { Stores } from './stores.js';

const MAX_PENDING = 1_024;
const anyKey = () => parsePtmKey(randomBytes(32).toString('base64'));
const PAIR = { own: anyKey(), other: anyKey() };
const COLUMNS = pairColumns(PAIR);
const NOW_MS = 1_800_000_000_000;

const rowOf = (block: number): AgreementBlock => ({
  ...PAIR,
  block,
  ownStatement: randomBytes(298),
  ownList: randomBytes(650),
  otherStatement: randomBytes(298),
  otherBefore: undefined,
  otherList: undefined,
  otherOutcome: undefined,
  ownRules: undefined,
  otherRules: undefined,
  state: 'agreed',
  transaction: undefined,
  sent: 0,
  sends: 0,
  nextAtMs: undefined,
  madeAtMs: NOW_MS,
});
const contractOf = (block: number): AgreementContract => ({
  ...PAIR,
  contract: anyAddress(),
  block,
  transaction: anyHash(),
  isShared: true,
});
const keyOf = (block: number) => ({ blockNumber_own_other: { blockNumber: BigInt(block), ...COLUMNS } });

/** What every block with private transactions costs a node for each other party. */
export async function measureAgreement({
  database: { pool },
  client,
  byClient,
}: Stores): Promise<ComparedStatement[]> {
  const first = nextNumber();
  await stateBlocks(pool, { number: first, rows: [rowOf(first)], contracts: [], dropped: [] }, MAX_PENDING);
  const signer = randomBytes(64);
  return [
    {
      statement: 'state-blocks',
      rows: 2,
      client: () => client.transaction((calls) => stateByClient(calls, nextNumber())),
      sql: () => {
        const number = nextNumber();
        const stated = { number, rows: [rowOf(number)], contracts: [contractOf(number)], dropped: [] };
        return stateBlocks(pool, stated, MAX_PENDING);
      },
    },
    {
      statement: 'save-agreement',
      rows: 1,
      client: byClient((calls) => {
        const columns = blockColumns(rowOf(first));
        return calls.privateAgreementBlock.upsert({ where: keyOf(first), create: columns, update: columns });
      }),
      sql: () => saveAgreement(pool, [rowOf(first)]),
    },
    {
      statement: 'settle-agreement',
      rows: 1,
      client: () => client.transaction((calls) => settleByClient(calls, nextNumber())),
      sql: () => settleAgreement(pool, [{ ...PAIR, block: nextNumber() }]),
    },
    {
      statement: 'find-agreement',
      rows: 1,
      client: byClient(async (calls) => {
        await calls.privateAgreementPair.findUnique({ where: { own_other: COLUMNS } });
        await calls.privateAgreementBlock.findUnique({ where: keyOf(first) });
      }),
      sql: () => findAgreement(pool, PAIR, first),
    },
    {
      statement: 'list-agreement',
      rows: 1,
      client: byClient((calls) => listByClient(calls, first)),
      async sql() {
        await listBusyBlocks(pool, { from: first, to: first }, 64);
        await listDueAgreement(pool, NOW_MS, 256);
      },
    },
    {
      statement: 'tell-pairs',
      rows: 1,
      client: byClient(async (calls) => {
        const { updateMany } = calls.privateAgreementPair;
        const firstSigner = clientBytes(signer);
        await updateMany({ where: { ...COLUMNS, firstSigner: null }, data: { firstSigner } });
        const heard = { lastSigner: firstSigner, heardAt: new Date(NOW_MS), carriesMessages: true };
        await updateMany({ where: COLUMNS, data: heard });
      }),
      sql: () => hearPair(pool, PAIR, { signer: signer.toString('hex'), atMs: NOW_MS }),
    },
  ];
}

async function stateByClient(calls: NodeCalls, block: number): Promise<void> {
  const head = { number: BigInt(block) };
  await calls.privateAgreementHead.upsert({ where: { id: 1 }, create: { id: 1, ...head }, update: head });
  const since = { ...COLUMNS, since: BigInt(block) };
  await calls.privateAgreementPair.createMany({ data: [since], skipDuplicates: true });
  await calls.privateAgreementBlock.deleteMany({ where: { blockNumber: head.number, OR: [COLUMNS] } });
  await calls.privateAgreementBlock.createMany({ data: [blockColumns(rowOf(block))] });
  await calls.privateAgreementBlock.groupBy({
    by: ['own', 'other'],
    where: { state: { in: ['pending', 'comparing'] }, OR: [COLUMNS] },
    having: { blockNumber: { _count: { gt: MAX_PENDING } } },
  });
  const columns = contractColumns(contractOf(block));
  const where = { ...COLUMNS, contract: columns.contract };
  await calls.privateAgreementContract.findMany({ where: { ...where, isShared: true } });
  await calls.privateAgreementContract.deleteMany({ where });
  await calls.privateAgreementContract.createMany({ data: [columns] });
}

async function settleByClient(calls: NodeCalls, block: number): Promise<void> {
  const agreedBlock = BigInt(block);
  await calls.privateAgreementBlock.deleteMany({ where: { ...COLUMNS, blockNumber: agreedBlock } });
  await calls.privateAgreementPair.updateMany({
    where: { ...COLUMNS, OR: [{ agreedBlock: null }, { agreedBlock: { lt: agreedBlock } }] },
    data: { agreedBlock },
  });
}

async function listByClient(calls: NodeCalls, block: number): Promise<void> {
  const range = {
    by: ['blockNumber' as const],
    where: { blockNumber: { gte: BigInt(block), lte: BigInt(block) } },
  };
  await Promise.all([calls.privateReceipt.groupBy(range), calls.privateAgreementBlock.groupBy(range)]);
  await calls.privateAgreementBlock.findMany({
    where: { nextAt: { lte: new Date(NOW_MS) } },
    orderBy: [{ nextAt: 'asc' }, { blockNumber: 'asc' }],
    take: 256,
  });
}
