import { clientBytes } from '@tetrad/db';
import type { ComparedStatement } from '@tetrad/testkit';
import { addressToBytes, hashToBytes, type Hash } from '@tetrad/types';
import type pg from 'pg';
import { findNewestAddressRows, putAddressRows } from '../../src/hot/address-rows.js';
import { appendHashed } from '../../src/hot/append-hashed.js';
import { findFlatState } from '../../src/hot/find-flat-state.js';
import { findHashed } from '../../src/hot/find-hashed.js';
import { findValidators } from '../../src/hot/find-validators.js';
import { gatherNodes } from '../../src/hot/gather-nodes.js';
import { saveConsensusRecord } from '../../src/hot/save-consensus-record.js';
import { beginEpoch, findHistory } from '../../src/hot/state-history.js';
import { putFlatRows, startFlatState, writeFlatChanges } from '../../src/hot/write-flat-state.js';
import { appendSet, openVotes } from '../../src/hot/write-validators.js';
import { callsOn, type NodeCalls } from '../../src/node-client.js';
import { NODE_TABLES } from '../../src/state-tables.js';
import type { HashedBytes } from '../../src/index.js';
import type { Stores } from './stores.js';
import { anyAddress, anyHash, nextNumber, nodeRows } from './sample-rows.js';

const NODES = 500;
const [nodeTable, otherTable] = NODE_TABLES;

const nodeData = ({ hash, bytes }: HashedBytes) => ({ hash: clientBytes(hash), encoded: clientBytes(bytes) });

/** Trie nodes and flat state. */
export async function measureStates({ database, client, byClient }: Stores): Promise<ComparedStatement[]> {
  const { pool } = database;
  const stored = nodeRows(NODES);
  await appendHashed(pool, nodeTable, stored);
  const hashes = stored.map(({ hash }) => clientBytes(hash));
  const find = (count: number) => ({ hash: { in: hashes.slice(0, count) } });
  const flat = (count: number) =>
    nodeRows(count).map(({ hash, bytes }) => ({ key: clientBytes(hash), value: clientBytes(bytes) }));
  const roots = [anyHash(), anyHash()];
  const stateRoot = clientBytes(hashToBytes(roots[0] as Hash));
  await startFlatState(pool, roots[0] as Hash);
  const keys = flat(10);
  const lists = Array.from({ length: NODES }, (_, at) => BigInt(at) * 4n);
  const addressRows = () =>
    lists.map((list) => ({
      list,
      first: 1_048_576n,
      sentBefore: 0,
      roles: 1,
      entries: clientBytes(Buffer.alloc(12, 7)),
    }));
  await putFlatRows(pool, keys);
  return [
    {
      statement: 'address-rows',
      rows: NODES,
      client: () =>
        client.transaction(async (own) => {
          await own.addressRow.groupBy({
            by: ['list'],
            where: { list: { in: lists } },
            _max: { first: true },
          });
          for (const { list, first, ...data } of addressRows())
            await own.addressRow.upsert({
              where: { list_first: { list, first } },
              create: { list, first, ...data },
              update: data,
            });
        }),
      sql: () =>
        database.transaction(async (statements) => {
          await findNewestAddressRows(statements, lists);
          await putAddressRows(
            statements,
            addressRows().map((row) => ({ ...row, first: Number(row.first) })),
          );
        }),
    },
    {
      statement: 'append-hashed',
      rows: NODES,
      client: byClient((calls) =>
        calls.trieNode.createMany({ data: nodeRows(NODES).map(nodeData), skipDuplicates: true }),
      ),
      sql: () => appendHashed(pool, nodeTable, nodeRows(NODES)),
    },
    {
      statement: 'find-hashed',
      rows: 1,
      client: byClient((calls) => calls.trieNode.findMany({ where: find(1) })),
      sql: () => findHashed(database, [nodeTable], hashes.slice(0, 1)),
    },
    {
      statement: 'find-hashed',
      rows: 50,
      client: byClient((calls) => calls.trieNode.findMany({ where: find(50) })),
      sql: () => findHashed(database, [nodeTable], hashes.slice(0, 50)),
    },
    {
      statement: 'gather-nodes',
      rows: NODES,
      client: byClient(async (calls) => {
        const found = [
          ...(await calls.trieNode.findMany({ where: find(NODES) })),
          ...(await calls.trieNodeB.findMany({ where: find(NODES) })),
        ];
        await calls.trieNodeB.createMany({ data: found, skipDuplicates: true });
      }),
      sql: () => gatherNodes(pool, [nodeTable, otherTable], hashes),
    },
    {
      statement: 'find-flat-state',
      rows: 10,
      client: byClient(async (calls) => {
        await calls.flatStateHead.findUnique({ where: { id: 1 } });
        await calls.flatState.findMany({ where: { key: { in: keys.map(({ key }) => key) } } });
      }),
      sql: () =>
        findFlatState(
          database,
          keys.map(({ key }) => key),
        ),
    },
    {
      statement: 'write-flat-state',
      rows: 50,
      client: () =>
        client.transaction(async (own) => {
          await own.flatStateHead.updateMany({ where: { id: 1, stateRoot }, data: { stateRoot } });
          for (const { key, value } of flat(50))
            await own.flatState.upsert({ where: { key }, create: { key, value }, update: { value } });
        }),
      sql: () =>
        database.transaction(async (statements) => {
          const [parentRoot, next] = roots as [Hash, Hash];
          await writeFlatChanges(statements, {
            parentRoot,
            stateRoot: next,
            cleared: [],
            removed: [],
            put: flat(50),
          });
          roots.reverse();
        }),
    },
  ];
}

/** What a validator does at every height, and what joins a block. */
export async function measureValidators({ database, byClient }: Stores): Promise<ComparedStatement[]> {
  const { pool } = database;
  const validator = anyAddress();
  const address = clientBytes(addressToBytes(validator));
  const record = clientBytes(Buffer.alloc(400, 7));
  await appendSet(pool, 0, [validator]);
  await saveConsensusRecord(pool, validator, { height: 0, round: 0, record });
  await beginEpoch(pool, 0);
  const joined = (own: NodeCalls, block: number) =>
    own.validatorVote.createMany({
      data: [{ block, validator: address, recipient: address, isAdd: true }],
    });
  const inBlock = (work: (statements: pg.PoolClient) => Promise<unknown>) => () => database.transaction(work);
  return [
    {
      statement: 'save-consensus-record',
      rows: 1,
      client: byClient((calls) => {
        const height = BigInt(nextNumber());
        const earlier = [{ height: { lt: height } }, { height, round: { lte: 0n } }];
        const data = { height, round: 0n, record };
        return calls.consensusRecord.updateMany({ where: { validator: address, OR: earlier }, data });
      }),
      sql: () => saveConsensusRecord(pool, validator, { height: nextNumber(), round: 0, record }),
    },
    {
      statement: 'find-validators',
      rows: 2,
      client: byClient(async (calls) => {
        const where = { fromBlock: { lte: 9 } };
        await calls.validatorSet.findFirst({ where, orderBy: { fromBlock: 'desc' } });
        await calls.validatorVote.findMany({
          where: { block: { lte: 9 }, OR: [{ untilBlock: null }, { untilBlock: { gt: 9 } }] },
          orderBy: { block: 'asc' },
        });
      }),
      sql: () => findValidators(pool, 9),
    },
    {
      statement: 'write-validators',
      rows: 1,
      client: inBlock(async (statements) => joined(await callsOn(statements), nextNumber())),
      sql: inBlock((statements) =>
        openVotes(statements, [{ block: nextNumber(), validator, recipient: validator, isAdd: true }]),
      ),
    },
    {
      statement: 'state-history',
      rows: 1,
      client: byClient(async (calls) => {
        await calls.stateHistory.findUnique({ where: { id: 1 } });
        await calls.block.findUnique({ where: { number: 0 }, select: { stateRoot: true } });
      }),
      sql: () => findHistory(pool),
    },
  ];
}
