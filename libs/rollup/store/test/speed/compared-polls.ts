import { clientBytes } from '@tetrad/db';
import { addressFromBytes, hashFromBytes, hashToBytes } from '@tetrad/types';
import type { ComparedStatement } from '@tetrad/testkit';
import { BATCH_FIELDS, UNFINISHED_STATES, parseBatch } from '../../src/batch-rows.js';
import { advanceCursor, forgetBeyondCursor } from '../../src/hot/advance-cursor.js';
import { countBatches } from '../../src/hot/count-batches.js';
import { listBatches } from '../../src/hot/list-batches.js';
import { listChainBlocks } from '../../src/hot/list-chain-blocks.js';
import { listSubmissions } from '../../src/hot/list-submissions.js';
import { listTokens } from '../../src/hot/list-tokens.js';
import { integerOf, selectOf } from '../../src/read-row.js';
import { SUBMISSION_FIELDS, parseSubmission } from '../../src/submission-rows.js';
import { KNOWN_BLOCKS, SEALED, TOKENS, type FilledRollup } from './filled-rollup.js';

/** What a batcher asks five times a second, whether or not there is work. */
export function comparedPolls({ database: { pool }, rows: { client } }: FilledRollup): ComparedStatement[] {
  const sealed = { where: { state: 'sealed' }, orderBy: { height: 'asc' }, take: 64 } as const;
  return [
    {
      statement: 'list-batches',
      rows: 1,
      sql: () => listBatches(pool, 'sealed', 64),
      client: async () =>
        (await client.batch.findMany({ ...sealed, select: selectOf(BATCH_FIELDS) })).map(parseBatch),
    },
    {
      statement: 'count-batches',
      rows: 1,
      sql: () => countBatches(pool),
      client: () =>
        client.batch.groupBy({ by: 'state', where: { state: { in: [...UNFINISHED_STATES] } }, _count: true }),
    },
    {
      statement: 'list-submissions',
      rows: 1,
      sql: () => listSubmissions(pool, SEALED),
      client: async () =>
        (
          await client.submission.findMany({
            where: { batchHeight: SEALED },
            select: selectOf(SUBMISSION_FIELDS),
            orderBy: [{ submittedAt: 'asc' }, { transactionHash: 'asc' }],
          })
        ).map(parseSubmission),
    },
    ...comparedChain({ pool, client }),
  ];
}

/** What the follower of the chain reads and writes with every block, and tokens. */
function comparedChain({
  pool,
  client,
}: {
  readonly pool: FilledRollup['database']['pool'];
  readonly client: FilledRollup['rows']['client'];
}): ComparedStatement[] {
  let number = KNOWN_BLOCKS;
  const nextBlock = () => ({ number: ++number, hash: hashFromBytes(new Uint8Array(32).fill(1)) });
  return [
    {
      statement: 'list-chain-blocks',
      rows: KNOWN_BLOCKS,
      sql: () => listChainBlocks(pool, KNOWN_BLOCKS),
      client: async () =>
        (await client.chainBlock.findMany({ orderBy: { number: 'desc' }, take: KNOWN_BLOCKS })).map(
          (block) => ({ number: Number(block.number), hash: hashFromBytes(block.hash) }),
        ),
    },
    {
      statement: 'advance-cursor',
      rows: 1,
      sql: async () => {
        await forgetBeyondCursor(pool);
        await advanceCursor(pool, [nextBlock()]);
      },
      client: () => advanceByClient(client, nextBlock()),
    },
    {
      statement: 'list-tokens',
      rows: TOKENS,
      sql: () => listTokens(pool),
      client: async () =>
        (await client.token.findMany({ orderBy: { tokenId: 'asc' } })).map(({ tokenId, address, unit }) => ({
          tokenId,
          address: addressFromBytes(address),
          unit: integerOf(unit),
        })),
    },
  ];
}

async function advanceByClient(
  client: FilledRollup['rows']['client'],
  { number, hash }: Parameters<typeof advanceCursor>[1][number],
): Promise<void> {
  const { _max: cursor } = await client.chainBlock.aggregate({ _max: { number: true } });
  const where = { blockNumber: { gt: cursor.number ?? 0n } };
  await client.token.deleteMany({ where });
  await client.deposit.deleteMany({ where: { ...where, batchHeight: null } });
  await client.outboundRequest.deleteMany({ where });
  await client.requestedOperation.deleteMany({ where });
  await client.frozenRollup.deleteMany({ where });
  const data = [{ number, hash: clientBytes(hashToBytes(hash)) }];
  await client.chainBlock.createMany({ data, skipDuplicates: true });
  await client.chainBlock.deleteMany({ where: { number: { lt: number - 1_000 } } });
}
