import { asBuffer, type Database } from '@tetrad/db';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Address,
  type Hash,
  type PtmKey,
} from '@tetrad/types';
import type pg from 'pg';
import { writeLogs, writeState } from './append-block.js';
import { BatchedLookup, PRIVATE_STATE } from './batched-lookup.js';
import {
  findActiveExtension,
  findAnyExtension,
  findExtendedContract,
  isExtending,
  listActiveExtensions,
  listEndedExtensions,
  listExtendedTo,
  listExtensionsOf,
  listKnownExtensions,
  writeExtensions,
  type ActiveExtensionRow,
  type KnownExtensionRow,
} from './extension-rows.js';
import type { InstanceLock } from './instance-lock.js';
import type { LogRow } from './ledger-rows.js';
import { LedgerStoreError } from './ledger-store-error.js';
import type {
  PrivateBlockWrite,
  PrivateContractRow,
  PrivateHead,
  PrivateReceiptRow,
} from './private-rows.js';
import { removePrivateState } from './private-set-back.js';
import { toLogRow, type StoredLog } from './stored-log.js';

/** Results of this node's private transactions, by the blocks of their markers. */
export class PrivateStateStore {
  private readonly nodes: BatchedLookup;
  private readonly codes: BatchedLookup;
  private readonly preimages: BatchedLookup;

  constructor(
    private readonly database: Database,
    private readonly lock: InstanceLock,
  ) {
    this.nodes = new BatchedLookup(database, PRIVATE_STATE.nodes);
    this.codes = new BatchedLookup(database, PRIVATE_STATE.codes);
    this.preimages = new BatchedLookup(database, PRIVATE_STATE.preimages);
  }

  async findHead(): Promise<PrivateHead | undefined> {
    const { rows } = await this.database.pool.query<{ number: number; hash: Buffer }>(
      'SELECT number, hash FROM private_head',
    );
    return rows[0] && { number: rows[0].number, hash: hashFromBytes(rows[0].hash) };
  }

  /**
   * Moves the head, and stores the results of the block's private transactions, in one transaction.
   *
   * In:    from — number of the head before, -1 for none; write — absent without private changes up to the block
   * Fails: LedgerStoreError when the head is another one
   */
  async moveHead(head: PrivateHead, from: number, write?: PrivateBlockWrite): Promise<void> {
    await this.lock.hold();
    await this.database.transaction(async (client) => {
      const moved = await client.query({
        name: 'move-private-head',
        text: `INSERT INTO private_head (id, number, hash) SELECT 1, $1::bigint, $2::bytea WHERE $3::bigint = -1
                   OR EXISTS (SELECT FROM private_head)
               ON CONFLICT (id) DO UPDATE SET number = $1, hash = $2 WHERE private_head.number = $3`,
        values: [head.number, asBuffer(hashToBytes(head.hash)), from],
      });
      if (moved.rowCount !== 1) {
        throw new LedgerStoreError(`private state of block ${head.number} does not follow block ${from}`);
      }
      if (write !== undefined) await writePrivateBlock(client, head.number, write);
    });
  }

  /** Removes what came of private transactions after the head, in one transaction. In: head — undefined for all of it */
  async setBack(head: PrivateHead | undefined): Promise<void> {
    await this.lock.hold();
    await this.database.transaction((client) => removePrivateState(client, head));
  }

  /** Root of the private state after the block; undefined before its first change. */
  async findRoot(blockNumber: number): Promise<Hash | undefined> {
    const { rows } = await this.database.pool.query<{ state_root: Buffer }>({
      name: 'find-private-root',
      text: 'SELECT state_root FROM private_block WHERE number <= $1 ORDER BY number DESC LIMIT 1',
      values: [blockNumber],
    });
    return rows[0] && hashFromBytes(rows[0].state_root);
  }

  /** By the hash of the transaction in the block. */
  async findReceipt(hash: Hash): Promise<PrivateReceiptRow | undefined> {
    const { rows } = await this.database.pool.query<ReceiptColumns>({
      name: 'find-private-receipt',
      text: 'SELECT * FROM private_receipt WHERE hash = $1',
      values: [asBuffer(hashToBytes(hash))],
    });
    return rows[0] && toReceipt(rows[0]);
  }

  /** The transaction that created the contract; undefined for one that another contract created, or that was extended. */
  async findCreation(contract: Address): Promise<Uint8Array | undefined> {
    const { rows } = await this.database.pool.query<{ raw: Buffer }>({
      name: 'find-private-creation',
      text: `SELECT raw FROM private_receipt WHERE contract_address = $1 AND status = 1
              ORDER BY block_number DESC, index DESC LIMIT 1`,
      values: [asBuffer(addressToBytes(contract))],
    });
    return rows[0]?.raw;
  }

  /** In the order of the block. */
  async listReceipts(blockNumber: number): Promise<PrivateReceiptRow[]> {
    const { rows } = await this.database.pool.query<ReceiptColumns>({
      name: 'list-private-receipts',
      text: 'SELECT * FROM private_receipt WHERE block_number = $1 ORDER BY index',
      values: [blockNumber],
    });
    return rows.map(toReceipt);
  }

  /** In the order of the block. */
  async listLogs(blockNumber: number): Promise<LogRow[]> {
    const { rows } = await this.database.pool.query<StoredLog>({
      name: 'list-private-logs',
      text: 'SELECT * FROM private_log WHERE block_number = $1 ORDER BY index',
      values: [blockNumber],
    });
    return rows.map(toLogRow);
  }

  /** The contracts among the addresses, as they were after the block. */
  async findContracts(addresses: readonly Address[], blockNumber: number): Promise<PrivateContractRow[]> {
    if (addresses.length === 0) return [];
    const { rows } = await this.database.pool.query<{
      address: Buffer;
      creation: Buffer;
      privacy_flag: number;
    }>({
      name: 'find-private-contracts',
      text: `SELECT DISTINCT ON (address) address, creation, privacy_flag FROM private_contract
              WHERE address = ANY($1::bytea[]) AND block_number <= $2 ORDER BY address, block_number DESC`,
      values: [addresses.map((address) => asBuffer(addressToBytes(address))), blockNumber],
    });
    return rows.map(({ address, creation, privacy_flag }) => ({
      ...{ address: addressFromBytes(address), creation, privacyFlag: privacy_flag },
    }));
  }

  /** Active extensions of which this node is the initiator or the recipient, oldest first. Bounds: 10,000 */
  listExtensions(): Promise<ActiveExtensionRow[]> {
    return listActiveExtensions(this.database);
  }

  /** Out: undefined for a management contract unknown to this node, and for one that has finished */
  findExtension(management: Address): Promise<ActiveExtensionRow | undefined> {
    return findActiveExtension(this.database, management);
  }

  /** As `findExtension`, also one that has finished. */
  findAnyExtension(management: Address): Promise<KnownExtensionRow | undefined> {
    return findAnyExtension(this.database, management);
  }

  /** Extensions of the contract that were approved and have ended, oldest first. Bounds: 100 */
  listEndedExtensions(contract: Address): Promise<KnownExtensionRow[]> {
    return listEndedExtensions(this.database, contract);
  }

  /** The contract of an extension that was active after the block; undefined without one. */
  findExtendedContract(management: Address, blockNumber: number): Promise<Address | undefined> {
    return findExtendedContract(this.database, management, blockNumber);
  }

  /** Whether an extension of the contract that this node started is active. */
  isExtending(contract: Address): Promise<boolean> {
    return isExtending(this.database, contract);
  }

  /** Active extensions of the contract known to this node, also those in which it has no part, oldest first. Bounds: 10,000 */
  listExtensionsOf(contract: Address): Promise<ActiveExtensionRow[]> {
    return listExtensionsOf(this.database, contract);
  }

  /** As `listExtensionsOf`, of all contracts. */
  listKnownExtensions(): Promise<ActiveExtensionRow[]> {
    return listKnownExtensions(this.database);
  }

  /** Those of the contracts that were extended to the key, as far as this node knows. */
  listExtendedTo(contracts: readonly Address[], key: PtmKey): Promise<Address[]> {
    return listExtendedTo(this.database, contracts, key);
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
  client: pg.ClientBase,
  blockNumber: number,
  write: PrivateBlockWrite,
): Promise<void> {
  await client.query({
    name: 'append-private-block',
    text: 'INSERT INTO private_block (number, state_root) VALUES ($1, $2)',
    values: [blockNumber, asBuffer(hashToBytes(write.stateRoot))],
  });
  await writeReceipts(client, write.receipts);
  await writeLogs(client, 'private_log', write.logs);
  await writeContracts(client, blockNumber, write.contracts);
  await writeExtensions(client, blockNumber, write.extensions);
  await writeState(client, PRIVATE_STATE, write);
}

async function writeReceipts(client: pg.ClientBase, rows: readonly PrivateReceiptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'append-private-receipts',
    text: `INSERT INTO private_receipt (block_number, index, hash, raw, sender, status, contract_address, return_data,
                                        first_log, log_count)
           SELECT * FROM unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[], $5::bytea[], $6::smallint[],
                                $7::bytea[], $8::bytea[], $9::int[], $10::int[])`,
    values: [
      rows.map((row) => row.blockNumber),
      rows.map((row) => row.index),
      rows.map((row) => asBuffer(hashToBytes(row.hash))),
      rows.map((row) => asBuffer(row.raw)),
      rows.map((row) => asBuffer(addressToBytes(row.sender))),
      rows.map((row) => row.status),
      rows.map(({ contractAddress }) =>
        contractAddress === undefined ? null : asBuffer(addressToBytes(contractAddress)),
      ),
      rows.map((row) => asBuffer(row.returnData)),
      rows.map((row) => row.firstLog),
      rows.map((row) => row.logCount),
    ],
  });
}

async function writeContracts(
  client: pg.ClientBase,
  blockNumber: number,
  rows: readonly PrivateContractRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await client.query({
    name: 'append-private-contracts',
    text: `INSERT INTO private_contract (address, block_number, creation, privacy_flag)
           SELECT address, $1, creation, flag
             FROM unnest($2::bytea[], $3::bytea[], $4::smallint[]) AS row (address, creation, flag)`,
    values: [
      blockNumber,
      rows.map(({ address }) => asBuffer(addressToBytes(address))),
      rows.map(({ creation }) => asBuffer(creation)),
      rows.map(({ privacyFlag }) => privacyFlag),
    ],
  });
}

interface ReceiptColumns {
  readonly block_number: number;
  readonly index: number;
  readonly hash: Buffer;
  readonly raw: Buffer;
  readonly sender: Buffer;
  readonly status: 0 | 1;
  readonly contract_address: Buffer | null;
  readonly return_data: Buffer;
  readonly first_log: number;
  readonly log_count: number;
}

function toReceipt(row: ReceiptColumns): PrivateReceiptRow {
  return {
    blockNumber: row.block_number,
    index: row.index,
    hash: hashFromBytes(row.hash),
    raw: row.raw,
    sender: addressFromBytes(row.sender),
    status: row.status,
    ...(row.contract_address === null ? {} : { contractAddress: addressFromBytes(row.contract_address) }),
    returnData: row.return_data,
    firstLog: row.first_log,
    logCount: row.log_count,
  };
}
