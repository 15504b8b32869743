import { EMPTY_ROOT } from '@tetrad/node-block';
import { decodeStoredTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import type { BackupRows, PlacedTransaction } from '@tetrad/node-store';
import { OperatorError, type Hash } from '@tetrad/types';
import { hasPrivateWork } from '../execution/private-block.js';

/** The last block of a backup, with its hash and the private state root after it. */
export interface BackupHeight {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly number: number;
  readonly hash: Hash;
  readonly stateRoot: Hash;
  /** Undefined on a node that has no private state. */
  readonly privateStateRoot: Hash | undefined;
  /** Number of the head of the chain: blocks above the height are left out. */
  readonly head: number;
}

type Rows = Pick<
  BackupRows,
  'findBlock' | 'findChain' | 'findPrivateHead' | 'findPrivateRoot' | 'listTransactions'
>;

/** Transactions per query. */
const PAGE = 1_000;

/**
 * The last block after which both chain and private state are stored. Private state may be some blocks behind the
 * head; it is also the state after later blocks up to the first one with a private transaction.
 * @throws OperatorError when no chain is stored
 */
export async function backupHeight(rows: Rows): Promise<BackupHeight> {
  const chain = await rows.findChain();
  if (chain === undefined) throw new OperatorError('the database contains no chain yet');
  const followed = await rows.findPrivateHead();
  const first = followed === undefined ? undefined : await firstPrivateBlock(rows, followed, chain.chainId);
  const number = first === undefined ? chain.head : first - 1;
  const block = await rows.findBlock(number);
  if (block === undefined) throw new OperatorError(`block ${number} is not stored`);
  const privateStateRoot =
    followed === undefined ? undefined : ((await rows.findPrivateRoot(number)) ?? EMPTY_ROOT);
  return { ...chain, ...block, number, privateStateRoot };
}

/** The first private block after the given one. A transaction to the marker address counts as private, in force or not. */
async function firstPrivateBlock(rows: Rows, after: number, chainId: number): Promise<number | undefined> {
  const kinds = { isPrivate: isPrivateTransaction, hasMarkers: true };
  const isPrivate = ({ raw, sender }: PlacedTransaction) =>
    hasPrivateWork([decodeStoredTransaction(raw, { chainId: BigInt(chainId), sender })], kinds);
  for (let place = { number: after + 1, index: -1 }; ;) {
    const page = await rows.listTransactions(place, PAGE);
    const found = page.find(isPrivate);
    const last = page.at(-1);
    if (found !== undefined || last === undefined) return found?.number;
    place = last;
  }
}
