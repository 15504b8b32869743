import type { Database } from '@tetrad/db';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import type { PoolClient } from 'pg';
import { findAccountDetails, findAccounts, type AccountRow } from './account-rows.js';
import { findAdoptable, insertAdopted, type AdoptablePlace, type AdoptedOperation } from './adoption-rows.js';
import {
  changeBatch,
  findBatches,
  writeAssembly,
  type BatchChange,
  type BatchRoots,
  type BatchRow,
} from './batch-rows.js';
import { writeExecution, type BatchPlace, type ExecutionWrite } from './execution-rows.js';
import {
  findBatchOrders,
  findMoneyOrders,
  findPreviousOrders,
  type FoundMoneyOrder,
  type PreviousOrderQuery,
} from './money-order-rows.js';
import {
  OPERATION_COLUMNS,
  parseOperation,
  type RawOperation,
  type StoredOperation,
} from './operation-rows.js';
import {
  deleteOpaquePlaces,
  findOpaqueCreations,
  findOpaqueHistory,
  insertOpaquePlaces,
  type OpaquePlace,
  type Registration,
} from './opaque-rows.js';
import { rejectRegistrations } from './reject-registrations.js';
import { rewindTo } from './rewind.js';
import { RollupStoreError } from './rollup-store-error.js';
import { lockHead, writeHead, type SequenceHead } from './sequence-head.js';
import {
  readTreeNodes,
  writeTreeNodes,
  type TreeName,
  type TreePosition,
  type TreeWrite,
} from './tree-rows.js';

/** A deposit as the contract's events have it. */
export interface DepositRow {
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
}

/** The content of a batch, in order. */
export type BatchItem =
  | { readonly kind: 'operation'; readonly index: number; readonly stored: StoredOperation }
  | { readonly kind: 'deposit'; readonly index: number; readonly deposit: DepositRow };

/**
 * One change of the sequence: a transaction that holds its lock, so that no other process executes, seals, assembles or
 * rewinds until it ends.
 */
export class SequenceStep {
  private constructor(
    private readonly client: PoolClient,
    private current: SequenceHead,
  ) {}

  /** The head of the sequence, with the changes of this step. */
  get head(): SequenceHead {
    return this.current;
  }

  static run<Result>(database: Database, work: (step: SequenceStep) => Promise<Result>): Promise<Result> {
    return database.transaction(async (client) => work(new SequenceStep(client, await lockHead(client))));
  }

  /** Pending operations that can be executed, in the order of acceptance, except those that are being replaced. */
  async readyOperations(limit: number): Promise<StoredOperation[]> {
    const { rows } = await this.client.query<RawOperation>({
      name: 'ready-operations',
      text: `SELECT ${OPERATION_COLUMNS} FROM operation WHERE status = 'PENDING' AND NOT waiting
              ORDER BY sequence LIMIT $1 FOR UPDATE SKIP LOCKED`,
      values: [limit],
    });
    return rows.map(parseOperation);
  }

  /** Deposits that no batch has taken, in the order of the contract. */
  async readyDeposits(limit: number): Promise<DepositRow[]> {
    const { rows } = await this.client.query<RawDeposit>({
      name: 'ready-deposits',
      text: `SELECT ${DEPOSIT_COLUMNS} FROM deposit WHERE index >= $1 ORDER BY index LIMIT $2`,
      values: [this.head.nextInbound, limit],
    });
    // A gap is one that the follower has yet to read.
    return rows.map(parseDeposit).filter(({ index }, place) => index === this.head.nextInbound + place);
  }

  /** In: the height up to which batches count; all without one. Fails: RollupStoreError */
  accounts(ids: readonly number[], upToHeight?: number): Promise<AccountRow[]> {
    return findAccounts(this.client, ids, upToHeight);
  }

  /** Whether an executed creation has given the key an account. */
  async hasAccount(publicKey: Point): Promise<boolean> {
    const keys = [Buffer.from(encodePoint(publicKey))];
    return (await findAccountDetails(this.client, { keys })).length > 0;
  }

  moneyOrders(totalIndexes: readonly number[]): Promise<FoundMoneyOrder[]> {
    return findMoneyOrders(this.client, totalIndexes);
  }

  /** In: orders of a smaller amount do not count */
  previousOrders(queries: readonly PreviousOrderQuery[], minAmount: bigint): Promise<(number | undefined)[]> {
    return findPreviousOrders(this.client, queries, minAmount);
  }

  batchOrders(heights: readonly number[]): Promise<Map<number, bigint[]>> {
    return findBatchOrders(this.client, heights);
  }

  treeNodes(
    tree: TreeName,
    positions: readonly TreePosition[],
    upToHeight: number,
  ): Promise<ReadonlyMap<string, bigint>> {
    return readTreeNodes(this.client, tree, positions, upToHeight);
  }

  /** Fails: RollupStoreError when it does not exist. */
  async batch(height: number): Promise<BatchRow> {
    const [row] = await findBatches(this.client, [height]);
    if (row === undefined) throw new RollupStoreError(`batch ${height} is missing in the database`);
    return row;
  }

  /** Operations and deposits of a batch. */
  async batchItems(height: number): Promise<BatchItem[]> {
    const { rows: operations } = await this.client.query<RawOperation & { batch_index: number }>({
      name: 'batch-operations',
      text: `SELECT ${OPERATION_COLUMNS} FROM operation WHERE batch_height = $1`,
      values: [height],
    });
    const { rows: deposits } = await this.client.query<RawDeposit & { batch_index: number }>({
      name: 'batch-deposits',
      text: `SELECT ${DEPOSIT_COLUMNS}, batch_index FROM deposit WHERE batch_height = $1`,
      values: [height],
    });
    const items: BatchItem[] = [
      ...operations.map((row) => ({
        ...{ kind: 'operation' as const, index: row.batch_index, stored: parseOperation(row) },
      })),
      ...deposits.map((row) => ({
        kind: 'deposit' as const,
        index: row.batch_index,
        deposit: parseDeposit(row),
      })),
    ];
    return items.sort((one, other) => one.index - other.index);
  }

  /** Writes what was executed, and where that leaves the sequence. Out: the head as it is stored */
  async execute(write: ExecutionWrite, head: SequenceHead): Promise<SequenceHead> {
    await writeExecution(this.client, write);
    return this.writeHead(head);
  }

  /** Writes the trees of the sealed batch after `assembledHeight`. Out: the head as it is stored */
  async assemble(written: {
    readonly roots: BatchRoots;
    /** Undefined for a batch that the chain has already. */
    readonly proving: Uint8Array | undefined;
    readonly accountNodes: readonly TreeWrite[];
    readonly historyNodes: readonly TreeWrite[];
  }): Promise<SequenceHead> {
    const height = this.head.assembledHeight + 1;
    await writeTreeNodes(this.client, 'account', height, written.accountNodes);
    await writeTreeNodes(this.client, 'history', height, written.historyNodes);
    await writeAssembly(this.client, height, written);
    return this.writeHead({ ...this.head, assembledHeight: height });
  }

  /** Takes back every batch from a height on: what was executed in them is pending again. Out: the head as it is stored */
  async rewind(height: number): Promise<SequenceHead> {
    return this.writeHead(await rewindTo(this.client, this.head, height));
  }

  /** The operations of these rows that the other submitter's batch may contain; none that was executed before it. */
  adoptable(place: AdoptablePlace): Promise<StoredOperation[]> {
    return findAdoptable(this.client, place);
  }

  /** Stores an operation that only the chain knows of. */
  addAdopted(accepted: AdoptedOperation): Promise<StoredOperation> {
    return insertAdopted(this.client, accepted);
  }

  /** Makes an assembled batch final. Fails: RollupStoreError when it is in another state than sealed */
  async finalize(height: number, at: Omit<BatchChange, 'state'>): Promise<void> {
    if (!(await changeBatch(this.client, { height, from: 'sealed' }, { ...at, state: 'final' })))
      throw new RollupStoreError(`batch ${height} is not sealed`);
  }

  /** Keeps what cannot be read, of batches that are final. */
  addOpaque(places: readonly OpaquePlace[]): Promise<void> {
    return insertOpaquePlaces(this.client, places);
  }

  /** Creations of opaque accounts that may be those of registrations. */
  opaqueCreations(registrations: readonly Registration[]): Promise<OpaquePlace[]> {
    return findOpaqueCreations(this.client, registrations);
  }

  /** Registrations that can never be executed; their keys are free again. */
  rejectRegistrations(registrations: readonly StoredOperation[]): Promise<void> {
    return rejectRegistrations(
      this.client,
      registrations.map(({ sequence }) => sequence),
    );
  }

  opaqueHistory(accountId: number): Promise<OpaquePlace[]> {
    return findOpaqueHistory(this.client, accountId);
  }

  /** Forgets places that are read now. */
  removeOpaque(places: readonly BatchPlace[]): Promise<void> {
    return deleteOpaquePlaces(this.client, places);
  }

  private async writeHead(head: SequenceHead): Promise<SequenceHead> {
    this.current = await writeHead(this.client, head);
    return this.current;
  }
}

interface RawDeposit {
  readonly index: number;
  readonly account_id: number;
  readonly token_id: number;
  readonly amount: string;
}

const DEPOSIT_COLUMNS = 'index, account_id, token_id, amount';

function parseDeposit({ index, account_id, token_id, amount }: RawDeposit): DepositRow {
  return { index, accountId: account_id, tokenId: token_id, amount: BigInt(amount) };
}
