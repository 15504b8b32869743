import { asBuffer, clientBytes, type Database } from '@tetrad/db';
import { addressToBytes, hashToBytes, type Address, type Hash, type PtmKey } from '@tetrad/types';
import { writeState } from './append-block.js';
import { BatchedLookup } from './batched-lookup.js';
import {
  findActiveExtension,
  findAnyExtension,
  isExtending,
  listEndedExtensions,
  listExtendedTo,
  listExtensionsOf,
  type ActiveExtension,
  type KnownExtension,
} from './extension-rows.js';
import { appendLogs } from './hot/append-logs.js';
import {
  appendPrivateContracts,
  appendPrivateReceipts,
  appendPrivateRoot,
} from './hot/append-private-block.js';
import { findPrivateContracts, findPrivateReceipts, findPrivateRoot } from './hot/find-private-results.js';
import { findExtendedContract, listExtensions } from './hot/find-extensions.js';
import { listLogs } from './hot/list-logs.js';
import { listEntering } from './list-entering.js';
import { movePrivateHead } from './hot/move-private-head.js';
import { findPrivateHead } from './hot/read-at-start.js';
import { appendExtensions, markExtensions } from './hot/write-extensions.js';
import type { InstanceLock } from './instance-lock.js';
import type { StoredLog } from './ledger-rows.js';
import { LedgerStoreError } from './ledger-store-error.js';
import { callsOn, type NodeClient } from './node-client.js';
import type {
  PrivateBlockWrite,
  StoredPrivateContract,
  PrivateHead,
  StoredPrivateReceipt,
} from './private-rows.js';
import { removePrivateState } from './private-set-back.js';
import { appendRepair } from './repair-store.js';
import { PRIVATE_STATE } from './state-tables.js';
import type pg from 'pg';

/** Results of this node's private transactions, by the blocks of their markers. */
export class PrivateStateStore {
  private readonly nodes: BatchedLookup;
  private readonly codes: BatchedLookup;
  private readonly preimages: BatchedLookup;

  constructor(
    private readonly database: Database,
    private readonly client: NodeClient,
    private readonly lock: InstanceLock,
  ) {
    this.nodes = new BatchedLookup(database, PRIVATE_STATE.nodes);
    this.codes = new BatchedLookup(database, PRIVATE_STATE.codes);
    this.preimages = new BatchedLookup(database, PRIVATE_STATE.preimages);
  }

  findHead(): Promise<PrivateHead | undefined> {
    return findPrivateHead(this.database.pool);
  }

  /**
   * Moves the head, and stores the results of the block's private transactions, in one transaction.
   * @param from - number of the head before, -1 for none
   * @param write - absent without private changes up to the block
   * @throws LedgerStoreError when the head is another one
   */
  async moveHead(head: PrivateHead, from: number, write?: PrivateBlockWrite): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (statements) => {
      if (!(await movePrivateHead(statements, head, from)))
        throw new LedgerStoreError(`private state of block ${head.number} does not follow block ${from}`);
      if (write !== undefined) await writePrivateBlock(statements, head.number, write);
    });
  }

  /**
   * Removes what came of private transactions after the head, in one transaction.
   * @param head - undefined for all of it
   */
  async setBack(head: PrivateHead | undefined): Promise<void> {
    await this.lock.hold();
    await this.client.transaction((calls) => removePrivateState(calls, head));
  }

  /** Root of the private state after the block; undefined before its first change. */
  findRoot(blockNumber: number): Promise<Hash | undefined> {
    return findPrivateRoot(this.database.pool, blockNumber);
  }

  /** By the hash of the transaction in the block. */
  async findReceipt(hash: Hash): Promise<StoredPrivateReceipt | undefined> {
    const key = asBuffer(hashToBytes(hash));
    return (await findPrivateReceipts(this.database.pool, 'find-private-receipt', key))[0];
  }

  /** The transaction that created the contract; undefined for one that another contract created, or that was extended. */
  async findCreation(contract: Address): Promise<Uint8Array | undefined> {
    const calls = await this.client.calls();
    const created = await calls.privateReceipt.findFirst({
      where: { contractAddress: clientBytes(addressToBytes(contract)), status: 1 },
      orderBy: [{ blockNumber: 'desc' }, { index: 'desc' }],
      select: { raw: true },
    });
    return created?.raw;
  }

  /**
   * The newest transactions that entered the contract, in the order of the chain. Results that a version before stored are not
   * among them. Bounds: 256, of the newest 10,000 results
   */
  async listEntering(contract: Address): Promise<StoredPrivateReceipt[]> {
    const calls = await this.client.calls();
    const receipts: StoredPrivateReceipt[] = [];
    for (const hash of await listEntering(calls, contract)) {
      const receipt = await this.findReceipt(hash);
      if (receipt !== undefined) receipts.push(receipt);
    }
    return receipts;
  }

  /** In the order of the block. */
  listReceipts(blockNumber: number): Promise<StoredPrivateReceipt[]> {
    return findPrivateReceipts(this.database.pool, 'list-private-receipts', blockNumber);
  }

  /** In the order of the block. */
  listLogs(blockNumber: number): Promise<StoredLog[]> {
    return listLogs(this.database.pool, 'private', { blockNumber });
  }

  /** The contracts among the addresses, as they were after the block. */
  async findContracts(addresses: readonly Address[], blockNumber: number): Promise<StoredPrivateContract[]> {
    if (addresses.length === 0) return [];
    return findPrivateContracts(this.database.pool, addresses, blockNumber);
  }

  /** Active extensions of which this node is the initiator or the recipient, oldest first. Bounds: 10,000 */
  listExtensions(): Promise<ActiveExtension[]> {
    return listExtensions(this.database.pool, 'list-active-extensions');
  }

  /** @returns undefined for a management contract unknown to this node, and for one that has finished */
  async findExtension(management: Address): Promise<ActiveExtension | undefined> {
    return findActiveExtension(await this.client.calls(), management);
  }

  /** As `findExtension`, also one that has finished. */
  async findAnyExtension(management: Address): Promise<KnownExtension | undefined> {
    return findAnyExtension(await this.client.calls(), management);
  }

  /** Extensions of the contract that were approved and have ended, oldest first. Bounds: 100 */
  async listEndedExtensions(contract: Address): Promise<KnownExtension[]> {
    return listEndedExtensions(await this.client.calls(), contract);
  }

  /** The contract of an extension that was active after the block; undefined without one. */
  findExtendedContract(management: Address, blockNumber: number): Promise<Address | undefined> {
    return findExtendedContract(this.database.pool, management, blockNumber);
  }

  /** Whether an extension of the contract that this node started is active. */
  async isExtending(contract: Address): Promise<boolean> {
    return isExtending(await this.client.calls(), contract);
  }

  /** Active extensions of the contract known to this node, also those in which it has no part, oldest first. Bounds: 10,000 */
  async listExtensionsOf(contract: Address): Promise<ActiveExtension[]> {
    return listExtensionsOf(await this.client.calls(), contract);
  }

  /** As `listExtensionsOf`, of all contracts. */
  listKnownExtensions(): Promise<ActiveExtension[]> {
    return listExtensions(this.database.pool, 'list-known-extensions');
  }

  /** Those of the contracts that were extended to the key, as far as this node knows. */
  async listExtendedTo(contracts: readonly Address[], key: PtmKey): Promise<Address[]> {
    return listExtendedTo(await this.client.calls(), contracts, key);
  }

  findNode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.nodes.find(hash);
  }

  findCode(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.codes.find(hash);
  }

  findPreimage(hash: Uint8Array): Promise<Uint8Array | undefined> {
    return this.preimages.find(hash);
  }
}

async function writePrivateBlock(
  statements: pg.ClientBase,
  blockNumber: number,
  { stateRoot, receipts, logs, contracts, extensions, repairs = [], ...state }: PrivateBlockWrite,
): Promise<void> {
  await appendPrivateRoot(statements, blockNumber, stateRoot);
  if (receipts.length > 0) await appendPrivateReceipts(statements, receipts);
  if (logs.length > 0) await appendLogs(statements, 'private', logs);
  if (contracts.length > 0) await appendPrivateContracts(statements, blockNumber, contracts);
  const { started, approved, finished } = extensions;
  if (started.length > 0) await appendExtensions(statements, blockNumber, started);
  const mark = (field: 'approvedBlock' | 'finishedBlock', management: readonly Address[]) =>
    markExtensions(statements, blockNumber, { field, management });
  if (approved.length > 0) await mark('approvedBlock', approved);
  if (finished.length > 0) await mark('finishedBlock', finished);
  await writeState(statements, PRIVATE_STATE, state);
  for (const repair of repairs) await appendRepair(await callsOn(statements), repair);
}
