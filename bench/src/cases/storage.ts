import { connectDatabase, type Database } from '@tetrad/db';
import { keccak256 } from '@tetrad/crypto';
import { addressFromBytes, type Address } from '@tetrad/types';
import type { StorageWords } from '../bench-words.js';
import { callRpc } from '../call-rpc.js';
import { LoadMaker, deployToken, measureLoad } from '../load.js';
import { startNode, type BenchNode } from '../peers.js';
import { growthOf, readRelationSizes } from '../relation-sizes.js';
import type { BenchResult, Comparison, Figure } from '../report/result.js';

/** Limits of a plain transfer and of a token transfer. Units: bytes */
const MOST = { transfer: 500, token: 900 };
/** Accounts that the transfers go to: all of them exist before anything is measured. */
const ACCOUNTS = 2_000;
/** As many run before, so that pages which updates of rows fill and free again are there. */
const TRANSACTIONS = 10_000;
/** Tables of the states of all blocks; their indexes have names that begin with these. */
const OF_STATES = /^(trie_node|code|preimage)/;
/** Tables whose rows go again or are of the newest state only: their pages are used again, by whatever comes next. */
const REUSED = /^(pool_transaction|consensus_record|flat_state)/;
/** Blocks of few transactions, where the nodes on their paths are shared by few. */
const THIN_BLOCKS = 50;
const THIN_TRANSACTIONS = 20;
/** Short, so that the thin blocks do not take minutes. */
const BLOCK_PERIOD_MS = 500;
/** Below this share, a relation is not listed. */
const LISTED_BYTES = 2;

interface Growth {
  readonly what: string;
  readonly transactions: number;
  readonly blocks: number;
  readonly relations: readonly (readonly [string, number])[];
}

interface Measured {
  readonly node: BenchNode;
  readonly database: Database;
  readonly maker: LoadMaker;
}

/**
 * What a transaction leaves in the node's database, by table and index: history included, or without the states of old
 * blocks.
 */
export async function storage({ stateHistory }: StorageWords): Promise<BenchResult> {
  const words = stateHistory === undefined ? [] : ['--node-options', `--state-history ${stateHistory}`];
  const node = await startNode({ blockPeriodMs: BLOCK_PERIOD_MS, words });
  const url = node.network.nodes[0]?.startCommand.environment['TETRAD_NODE_DATABASE_URL'] ?? '';
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    const { token, nonces } = await deployToken(node.url);
    const maker = new LoadMaker(nonces, recipients());
    const measured = { node, database, maker };
    const transfers = (count: number) => maker.transfers(count);
    const tokens = (count: number) => maker.tokenTransfers(count, token);
    for (const make of [transfers, tokens]) await measureLoad(node.url, make(TRANSACTIONS), maker.reached());
    return report({
      transfer: await measureFull(measured, 'transfers', transfers),
      token: await measureFull(measured, 'token transfers', tokens),
      thin: [
        await measureThin(measured, `transfers, ${THIN_TRANSACTIONS} a block`, transfers),
        await measureThin(measured, `token transfers, ${THIN_TRANSACTIONS} a block`, tokens),
      ],
    });
  } finally {
    await database.close();
    await node.stop();
  }
}

function recipients(): readonly Address[] {
  return Array.from({ length: ACCOUNTS }, (_, index) =>
    addressFromBytes(keccak256(Buffer.from(`bench recipient ${index}`)).subarray(12)),
  );
}

type Make = (count: number) => readonly Uint8Array[];

/** As many transactions at once as blocks can hold. */
function measureFull(measured: Measured, what: string, make: Make): Promise<Growth> {
  return measureGrowth(measured, { what, transactions: TRANSACTIONS }, async () => {
    await measureLoad(measured.node.url, make(TRANSACTIONS), measured.maker.reached());
  });
}

function measureThin(measured: Measured, what: string, make: Make): Promise<Growth> {
  const transactions = THIN_BLOCKS * THIN_TRANSACTIONS;
  return measureGrowth(measured, { what, transactions }, async () => {
    for (let block = 0; block < THIN_BLOCKS; block += 1)
      await measureLoad(measured.node.url, make(THIN_TRANSACTIONS), measured.maker.reached());
  });
}

async function measureGrowth(
  { node, database }: Measured,
  { what, transactions }: Pick<Growth, 'what' | 'transactions'>,
  load: () => Promise<void>,
): Promise<Growth> {
  const headOf = async () => Number(await callRpc(node.url, 'eth_blockNumber', []));
  process.stderr.write(`  ${what}\n`);
  const [before, first] = [await readRelationSizes(database), await headOf()];
  await load();
  const [after, last] = [await readRelationSizes(database), await headOf()];
  return { what, transactions, blocks: last - first, relations: growthOf(before, after) };
}

interface Report {
  readonly transfer: Growth;
  readonly token: Growth;
  readonly thin: readonly Growth[];
}

function report({ transfer, token, thin }: Report): BenchResult {
  return {
    name: 'storage',
    comparisons: [
      against('bytes of a transfer', bytesOf(transfer), MOST.transfer),
      against('bytes of a token transfer', bytesOf(token), MOST.token),
      against('a transfer without states', withoutStates(transfer), MOST.transfer),
      against('a token transfer without states', withoutStates(token), MOST.token),
    ],
    figures: [transfer, token, ...thin].map(byRelation),
  };
}

function against(what: string, ours: number, most: number): Comparison {
  return {
    what,
    unit: 'B',
    ours,
    peer: most,
    peerName: `${most} bytes`,
    ratio: ours / most,
    target: { bound: 1, side: 'atMost' },
  };
}

/** Bytes of a transaction in the relations, its share of the block included. */
function bytesIn({ relations, transactions }: Growth, isCounted: (name: string) => boolean): number {
  return relations.reduce((sum, [name, bytes]) => sum + (isCounted(name) ? bytes : 0), 0) / transactions;
}

const bytesOf = (growth: Growth) => bytesIn(growth, (name) => !REUSED.test(name));
const withoutStates = (growth: Growth) =>
  bytesIn(growth, (name) => !REUSED.test(name) && !OF_STATES.test(name));

function byRelation(growth: Growth): Figure {
  const { what, transactions, blocks, relations } = growth;
  const shares = relations
    .map(([name, bytes]) => [name, bytes / transactions] as const)
    .filter(([name, bytes]) => bytes >= LISTED_BYTES && !REUSED.test(name))
    .map(([name, bytes]) => `${name} ${bytes.toFixed(0)}`);
  const [all, rest] = [bytesOf(growth), withoutStates(growth)];
  const states = `${(all - rest).toFixed(0)} of them states`;
  const chain = `${transactions} in ${blocks} blocks`;
  return { what, value: `${all.toFixed(0)} bytes, ${states} (${chain}): ${shares.join(', ')}` };
}
