import { decodeStoredTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import { hasPrivateWork } from '@tetrad/node-private-state';
import { OperatorError, addressFromBytes, hashFromBytes, type Hash } from '@tetrad/types';
import type { ClientBase } from 'pg';

/** The block up to which a backup goes, and what chain and private state are after it. */
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

/** Transactions that are looked at together. */
const PAGE = 1_000;

/**
 * The last block after which both chain and private state are stored. Private state may stand some blocks before the
 * head; it is also that of the blocks behind it until the first one with a private transaction.
 *
 * Fails: OperatorError when no chain is stored
 */
export async function backupHeight(client: ClientBase, emptyRoot: Hash): Promise<BackupHeight> {
  const chain = (
    await client.query<{ chain_id: number; genesis_hash: Buffer; head_number: number }>('SELECT * FROM chain')
  ).rows[0];
  if (chain === undefined) throw new OperatorError('the database holds no chain yet');
  const head = chain.head_number;
  const followed = (await client.query<{ number: number }>('SELECT number FROM private_head')).rows[0];
  const first =
    followed === undefined ? undefined : await firstPrivateBlock(client, followed.number, chain.chain_id);
  const number = first === undefined ? head : first - 1;
  const block = (
    await client.query<{ hash: Buffer; state_root: Buffer }>(
      'SELECT hash, state_root FROM block WHERE number = $1',
      [number],
    )
  ).rows[0];
  if (block === undefined) throw new OperatorError(`block ${number} is not stored`);
  return {
    ...{ chainId: chain.chain_id, genesisHash: hashFromBytes(chain.genesis_hash), number, head },
    ...{ hash: hashFromBytes(block.hash), stateRoot: hashFromBytes(block.state_root) },
    privateStateRoot: followed === undefined ? undefined : await privateRoot(client, number, emptyRoot),
  };
}

async function privateRoot(client: ClientBase, number: number, emptyRoot: Hash): Promise<Hash> {
  const { rows } = await client.query<{ state_root: Buffer }>(
    'SELECT state_root FROM private_block WHERE number <= $1 ORDER BY number DESC LIMIT 1',
    [number],
  );
  return rows[0] === undefined ? emptyRoot : hashFromBytes(rows[0].state_root);
}

/** Of the blocks after the given one. A transaction that would be a marker where markers are in force is taken for one. */
async function firstPrivateBlock(
  client: ClientBase,
  after: number,
  chainId: number,
): Promise<number | undefined> {
  const kinds = { isPrivate: isPrivateTransaction, hasMarkers: true };
  for (let [number, index] = [after + 1, -1]; ;) {
    const { rows } = await client.query<{ number: number; index: number; raw: Buffer; sender: Buffer }>(
      `SELECT block_number AS number, index, raw, sender FROM transaction
        WHERE (block_number, index) > ($1, $2) ORDER BY block_number, index LIMIT ${PAGE}`,
      [number, index],
    );
    const found = rows.find(({ raw, sender }) => {
      const known = { chainId: BigInt(chainId), sender: addressFromBytes(sender) };
      return hasPrivateWork([decodeStoredTransaction(raw, known)], kinds);
    });
    const last = rows.at(-1);
    if (found !== undefined || last === undefined) return found?.number;
    [number, index] = [last.number, last.index];
  }
}
