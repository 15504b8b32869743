import { hashFromBytes, type Hash } from '@tetrad/types';
import { listPlaced } from './hot/list-placed.js';
import { holdStates } from './hot/state-history.js';
import type { PlacedTransaction, TransactionPlace } from './ledger-rows.js';
import { callsOn, type NodeCalls } from './node-client.js';
import type { Statements } from './statements.js';

/** The stored chain. */
export interface StoredChain {
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly head: number;
}

/** Reads of a backup that determine its height; in one transaction of the database, so that they are consistent. */
export class BackupRows {
  private opened: Promise<NodeCalls> | undefined;

  /** @param statements - of the transaction, which the client's calls join */
  constructor(private readonly statements: Statements) {}

  /**
   * Keeps the tables of trie nodes from being emptied until the transaction ends. Must be the first statement, so that the
   * snapshot is taken afterwards.
   */
  holdStates(): Promise<void> {
    return holdStates(this.statements);
  }

  /** Undefined before a chain is stored. */
  async findChain(): Promise<StoredChain | undefined> {
    const calls = await this.calls();
    const row = await calls.chain.findUnique({ where: { id: 1 } });
    if (row === null) return undefined;
    const { chainId, genesisHash, headNumber } = row;
    return { chainId: Number(chainId), genesisHash: hashFromBytes(genesisHash), head: Number(headNumber) };
  }

  /** Number of the last block that private state followed; undefined on a node without private state. */
  async findPrivateHead(): Promise<number | undefined> {
    const calls = await this.calls();
    const row = await calls.privateHead.findUnique({ where: { id: 1 }, select: { number: true } });
    return row === null ? undefined : Number(row.number);
  }

  async findBlock(number: number): Promise<{ readonly hash: Hash; readonly stateRoot: Hash } | undefined> {
    const calls = await this.calls();
    const row = await calls.block.findUnique({ where: { number }, select: { hash: true, stateRoot: true } });
    return row === null
      ? undefined
      : { hash: hashFromBytes(row.hash), stateRoot: hashFromBytes(row.stateRoot) };
  }

  /** Root of private state after the block; undefined before its first change. */
  async findPrivateRoot(number: number): Promise<Hash | undefined> {
    const calls = await this.calls();
    const row = await calls.privateBlock.findFirst({
      where: { number: { lte: number } },
      orderBy: { number: 'desc' },
      select: { stateRoot: true },
    });
    return row === null ? undefined : hashFromBytes(row.stateRoot);
  }

  /**
   * The transactions after a position, in the order of the chain.
   * @param most - rows
   */
  listTransactions(after: TransactionPlace, most: number): Promise<PlacedTransaction[]> {
    return listPlaced(this.statements, after, most);
  }

  private calls(): Promise<NodeCalls> {
    this.opened ??= callsOn(this.statements);
    return this.opened;
  }
}
