import { addressFromBytes, hashFromBytes, type Address, type Hash } from '@tetrad/types';
import type { ClientBase } from 'pg';

/** The stored chain. */
export interface StoredChain {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly head: number;
}

/** Position of a transaction in the chain. */
export interface TransactionPlace {
  readonly number: number;
  readonly index: number;
}

export interface PlacedTransaction extends TransactionPlace {
  readonly raw: Uint8Array;
  readonly sender: Address;
}

/** Reads of a backup that determine its height; in one transaction of the database, so that they are consistent. */
export class BackupRows {
  constructor(private readonly client: Pick<ClientBase, 'query'>) {}

  /**
   * Keeps the tables of trie nodes from being emptied until the transaction ends: TRUNCATE would empty one for its
   * snapshot too. Must be the first statement, so that the snapshot is taken afterwards.
   */
  async holdStates(): Promise<void> {
    await this.client.query('LOCK TABLE trie_node, trie_node_b, state_history IN ACCESS SHARE MODE');
  }

  /** Undefined before a chain is stored. */
  async findChain(): Promise<StoredChain | undefined> {
    const { rows } = await this.client.query<{ chain_id: number; genesis_hash: Buffer; head_number: number }>(
      'SELECT chain_id, genesis_hash, head_number FROM chain',
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return { chainId: row.chain_id, genesisHash: hashFromBytes(row.genesis_hash), head: row.head_number };
  }

  /** Number of the last block that private state followed; undefined on a node without private state. */
  async findPrivateHead(): Promise<number | undefined> {
    const { rows } = await this.client.query<{ number: number }>('SELECT number FROM private_head');
    return rows[0]?.number;
  }

  async findBlock(number: number): Promise<{ readonly hash: Hash; readonly stateRoot: Hash } | undefined> {
    const { rows } = await this.client.query<{ hash: Buffer; state_root: Buffer }>(
      'SELECT hash, state_root FROM block WHERE number = $1',
      [number],
    );
    const [row] = rows;
    return row && { hash: hashFromBytes(row.hash), stateRoot: hashFromBytes(row.state_root) };
  }

  /** Root of private state after the block; undefined before its first change. */
  async findPrivateRoot(number: number): Promise<Hash | undefined> {
    const { rows } = await this.client.query<{ state_root: Buffer }>(
      'SELECT state_root FROM private_block WHERE number <= $1 ORDER BY number DESC LIMIT 1',
      [number],
    );
    return rows[0] && hashFromBytes(rows[0].state_root);
  }

  /** The transactions after a position, in the order of the chain. In: most — rows */
  async listTransactions(after: TransactionPlace, most: number): Promise<PlacedTransaction[]> {
    const { rows } = await this.client.query<{ number: number; index: number; raw: Buffer; sender: Buffer }>(
      `SELECT block_number AS number, index, raw, sender FROM transaction
        WHERE (block_number, index) > ($1, $2) ORDER BY block_number, index LIMIT $3`,
      [after.number, after.index, most],
    );
    return rows.map(({ sender, ...row }) => ({ ...row, sender: addressFromBytes(sender) }));
  }
}
