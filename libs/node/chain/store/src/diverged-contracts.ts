import {
  pairColumns,
  toBlock,
  toContract,
  type AgreementBlock,
  type AgreementContract,
  type KeyPair,
} from './agreement-rows.js';
import type { NodeCalls } from './node-client.js';

/** The newest transaction of two parties that entered a contract, with what both have stated of its block. */
export interface DivergedContract {
  readonly contract: AgreementContract;
  readonly row: AgreementBlock;
}

/** Rows of one answer. */
const MAX_LISTED = 1_000;
/** Blocks with a divergence in which contracts are looked for. */
const MAX_DIVERGED = 256;

/** Contracts whose newest transaction of a pair is in one of the newest 256 blocks on which the pair diverges. */
export async function listDiverged(calls: NodeCalls): Promise<DivergedContract[]> {
  const blocks = await calls.privateAgreementBlock.findMany({
    where: { state: 'diverged' },
    orderBy: { blockNumber: 'desc' },
    take: MAX_DIVERGED,
  });
  if (blocks.length === 0) return [];
  const rows = new Map(blocks.map(toBlock).map((row) => [nameOf(row), row]));
  const contracts = await calls.privateAgreementContract.findMany({
    where: { OR: blocksByPair([...rows.values()]) },
    orderBy: [{ blockNumber: 'desc' }, { contract: 'asc' }],
    take: MAX_LISTED,
  });
  return contracts.map(toContract).flatMap((contract) => {
    const row = rows.get(nameOf(contract));
    return row === undefined ? [] : [{ contract, row }];
  });
}

function nameOf({ own, other, block }: KeyPair & Pick<AgreementBlock, 'block'>): string {
  return `${own} ${other} ${block}`;
}

/** One condition for each pair: there are few, each with many blocks. */
function blocksByPair(rows: readonly AgreementBlock[]) {
  const byPair = new Map<string, { readonly pair: KeyPair; readonly blocks: bigint[] }>();
  for (const { own, other, block } of rows) {
    const name = `${own} ${other}`;
    const known = byPair.get(name) ?? { pair: { own, other }, blocks: [] };
    known.blocks.push(BigInt(block));
    byPair.set(name, known);
  }
  return [...byPair.values()].map(({ pair, blocks }) => ({
    ...pairColumns(pair),
    blockNumber: { in: blocks },
  }));
}
