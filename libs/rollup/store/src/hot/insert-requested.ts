import { requestedOperation } from '../generated/tables.js';
import { jsonRecord, type JsonRow } from '../json-record.js';
import { signingAccountId } from '../operation-rows.js';
import { writtenHolding } from '../proved-holdings.js';
import type { StoredRequest } from '../requests.js';
import type { Statements } from '../statements.js';
import { writtenOperation } from '../written-operation.js';

const record = jsonRecord(requestedOperation, {
  blockNumber: 'bigint',
  logIndex: 'int',
  accountId: 'int',
  nonce: 'bigint',
  tokenId: 'int',
  amount: 'numeric',
  height: 'bigint',
  operation: 'jsonb',
  proved: 'jsonb',
} as const);
const INSERT = `
  INSERT INTO ${requestedOperation.table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT DO NOTHING`;

type Written = JsonRow<
  typeof requestedOperation,
  | ('blockNumber' | 'logIndex' | 'accountId' | 'nonce' | 'tokenId' | 'amount' | 'height')
  | ('operation' | 'proved')
>;

/** Stores what holders have asked the contract for; what is there already stays as it is. */
export async function insertRequested(to: Statements, requested: readonly StoredRequest[]): Promise<void> {
  if (requested.length === 0) return;
  const values = [JSON.stringify(requested.map(written))];
  await to.query({ name: 'add-requested', text: INSERT, values });
}

function written({ hash, operation, amount, proved, ...request }: StoredRequest): Written {
  const accountId = signingAccountId(operation);
  if (accountId === undefined) throw new TypeError('a holder asks for nothing before it has an account');
  return {
    blockNumber: request.blockNumber,
    logIndex: request.logIndex,
    accountId,
    nonce: request.nonce,
    tokenId: request.tokenId,
    amount: String(amount),
    height: request.height,
    operation: writtenOperation({ hash, operation }),
    proved: writtenHolding(proved),
  };
}
