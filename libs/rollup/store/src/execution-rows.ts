import { asBuffer } from '@tetrad/db';
import { encodePoint, encodeWord, splitTotalIndex, type MoneyOrder, type Point } from '@tetrad/rollup-crypto';
import type { PoolClient } from 'pg';
import { writtenBalances, type AccountVersion } from './account-rows.js';
import type { BatchRow } from './batch-rows.js';

/** What executing operations changes; operations by their sequence number. */
export interface ExecutionWrite {
  readonly executed: readonly ExecutedOperation[];
  readonly rejected: readonly { readonly sequence: number; readonly reason: string }[];
  /** Those that wait for the nonces before theirs. */
  readonly waiting: readonly number[];
  readonly deposits: readonly ({ readonly index: number } & BatchPlace)[];
  readonly created: readonly {
    readonly publicKey: Point;
    readonly id: number;
    readonly createdHeight: number;
  }[];
  readonly versions: readonly AccountVersion[];
  /** Accounts that a batch leaves in a state that cannot be read, whatever `versions` has of them for the same batch. */
  readonly opaque: readonly Pick<AccountVersion, 'id' | 'batchHeight'>[];
  /** An order that cannot be read is a hash. */
  readonly orders: readonly {
    readonly totalIndex: number;
    readonly hash: bigint;
    readonly order: MoneyOrder | undefined;
  }[];
  readonly redeemed: readonly {
    readonly totalIndex: number;
    readonly batchHeight: number;
    readonly order: MoneyOrder;
  }[];
  readonly batches: readonly WrittenBatch[];
}

export interface BatchPlace {
  readonly batchHeight: number;
  readonly batchIndex: number;
}

export interface ExecutedOperation extends BatchPlace {
  readonly sequence: number;
  readonly accountId: number;
  /** Of the created or redeemed order. */
  readonly totalIndex: number | undefined;
}

export type WrittenBatch = Pick<BatchRow, 'height' | 'operations' | 'size' | 'inboundFrom' | 'inboundTo'> & {
  readonly state: 'open' | 'sealed';
};

/** Writes all of it, with a statement a table; part of a transaction that holds the lock of the sequence. */
export async function writeExecution(client: PoolClient, write: ExecutionWrite): Promise<void> {
  for (const { name, text, rows } of statements(write)) {
    if (rows.length > 0) await client.query({ name, text, values: [JSON.stringify(rows)] });
  }
}

function statements(write: ExecutionWrite): { name: string; text: string; rows: readonly unknown[] }[] {
  return [
    { name: 'write-executed', text: EXECUTED, rows: write.executed },
    { name: 'write-rejected', text: REJECTED, rows: write.rejected },
    { name: 'write-waiting', text: WAITING, rows: write.waiting.map((sequence) => ({ sequence })) },
    { name: 'write-taken-deposits', text: DEPOSITS, rows: write.deposits },
    { name: 'write-created', text: CREATED, rows: write.created.map(createdRow) },
    { name: 'write-versions', text: VERSIONS, rows: write.versions.map(versionRow) },
    { name: 'write-opaque', text: OPAQUE, rows: write.opaque },
    { name: 'write-orders', text: ORDERS, rows: write.orders.map(orderRow) },
    { name: 'write-redeemed', text: REDEEMED, rows: write.redeemed.map(redeemedRow) },
    { name: 'write-batches', text: BATCHES, rows: write.batches },
    // Operations that waited for a nonce that is now used can be executed; those being replaced at this moment are skipped.
    { name: 'wake-waiting', text: WAKE, rows: write.versions.map(({ id, nonce }) => ({ id, nonce })) },
  ];
}

function createdRow({ publicKey, id, createdHeight }: ExecutionWrite['created'][number]) {
  return { public_key: hexOf(encodePoint(publicKey)), id, created_height: createdHeight };
}

function versionRow({ id, batchHeight, nonce, redemptionIndex, balances }: AccountVersion) {
  return { id, batchHeight, nonce, redemptionIndex, balances: writtenBalances(balances) };
}

function orderRow({ totalIndex, hash, order }: ExecutionWrite['orders'][number]) {
  return {
    ...{ totalIndex, height: splitTotalIndex(totalIndex).batchHeight, hash: hexOf(encodeWord(hash)) },
    ...(order === undefined ? {} : orderFields(order)),
  };
}

function redeemedRow({ totalIndex, batchHeight, order }: ExecutionWrite['redeemed'][number]) {
  return { totalIndex, batchHeight, ...orderFields(order) };
}

function orderFields(order: MoneyOrder) {
  return {
    ...{ from: order.fromAccountId, to: order.toAccountId, token: order.tokenId },
    ...{ amount: String(order.amount), blinding: hexOf(encodeWord(order.blindingFactor)) },
  };
}

const hexOf = (bytes: Uint8Array) => asBuffer(bytes).toString('hex');

const EXECUTED = `
  UPDATE operation
     SET status = 'EXECUTED', waiting = false, rejection_reason = NULL, account_id = done."accountId", total_index = done."totalIndex",
         batch_height = done."batchHeight", batch_index = done."batchIndex"
    FROM json_to_recordset($1::json) AS done (sequence bigint, "accountId" int, "totalIndex" bigint,
           "batchHeight" bigint, "batchIndex" int)
   WHERE operation.sequence = done.sequence`;

const REJECTED = `
  UPDATE operation SET status = 'REJECTED', waiting = false, rejection_reason = done.reason
    FROM json_to_recordset($1::json) AS done (sequence bigint, reason text)
   WHERE operation.sequence = done.sequence`;

const WAITING = `
  UPDATE operation SET waiting = true
    FROM json_to_recordset($1::json) AS done (sequence bigint) WHERE operation.sequence = done.sequence`;

const DEPOSITS = `
  UPDATE deposit SET batch_height = taken."batchHeight", batch_index = taken."batchIndex"
    FROM json_to_recordset($1::json) AS taken (index bigint, "batchHeight" bigint, "batchIndex" int)
   WHERE deposit.index = taken.index`;

const CREATED = `
  UPDATE account SET account_id = made.id, created_height = made.created_height
    FROM json_to_recordset($1::json) AS made (public_key text, id int, created_height bigint)
   WHERE account.public_key = decode(made.public_key, 'hex')`;

const VERSIONS = `
  INSERT INTO account_version (account_id, batch_height, nonce, redemption_index, balances)
  SELECT id, "batchHeight", nonce, "redemptionIndex", balances
    FROM json_to_recordset($1::json) AS version (id int, "batchHeight" bigint, nonce bigint,
           "redemptionIndex" bigint, balances jsonb)
  ON CONFLICT (account_id, batch_height) DO UPDATE
     SET nonce = excluded.nonce, redemption_index = excluded.redemption_index, balances = excluded.balances`;

const OPAQUE = `
  INSERT INTO account_version (account_id, batch_height)
  SELECT id, "batchHeight" FROM json_to_recordset($1::json) AS version (id int, "batchHeight" bigint)
  ON CONFLICT (account_id, batch_height) DO UPDATE SET nonce = NULL, redemption_index = NULL, balances = NULL`;

const ORDERS = `
  INSERT INTO money_order (total_index, batch_height, hash, from_account_id, to_account_id, token_id, amount,
                           blinding_factor)
  SELECT "totalIndex", height, decode(hash, 'hex'), "from", "to", token, amount, decode(blinding, 'hex')
    FROM json_to_recordset($1::json) AS made ("totalIndex" bigint, height bigint, hash text, "from" int, "to" int,
           token int, amount numeric, blinding text)`;

/** A redemption reveals the content of its order, which may have been opaque here. */
const REDEEMED = `
  UPDATE money_order
     SET redeemed_height = done."batchHeight", from_account_id = done."from", to_account_id = done."to",
         token_id = done.token, amount = done.amount, blinding_factor = decode(done.blinding, 'hex')
    FROM json_to_recordset($1::json) AS done ("totalIndex" bigint, "batchHeight" bigint, "from" int, "to" int,
           token int, amount numeric, blinding text)
   WHERE money_order.total_index = done."totalIndex"`;

const BATCHES = `
  INSERT INTO batch (height, state, operations, size, inbound_from, inbound_to, sealed_at)
  SELECT height, state, operations, size, "inboundFrom", "inboundTo", CASE WHEN state = 'sealed' THEN now() END
    FROM json_to_recordset($1::json) AS made (height bigint, state text, operations int, size int,
           "inboundFrom" bigint, "inboundTo" bigint)
   ORDER BY height
  ON CONFLICT (height) DO UPDATE
     SET state = excluded.state, operations = excluded.operations, size = excluded.size,
         inbound_to = excluded.inbound_to, sealed_at = excluded.sealed_at`;

const WAKE = `
  UPDATE operation SET waiting = false
   WHERE sequence IN (
         SELECT operation.sequence FROM operation
           JOIN json_to_recordset($1::json) AS now (id int, nonce bigint) ON operation.account_id = now.id
          WHERE operation.status = 'PENDING' AND operation.waiting AND operation.nonce <= now.nonce + 1
            FOR UPDATE OF operation SKIP LOCKED)`;
