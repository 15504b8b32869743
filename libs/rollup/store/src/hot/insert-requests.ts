import { addressToBytes } from '@tetrad/types';
import type { OutboundRequest } from '../chain-events.js';
import { outboundRequest } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const record = jsonRecord(outboundRequest, {
  blockNumber: 'bigint',
  logIndex: 'int',
  accountId: 'int',
  recipient: 'bytea',
  tokenId: 'int',
  amount: 'numeric',
  overdueAt: 'bigint',
} as const);
const INSERT = `
  INSERT INTO ${outboundRequest.table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT DO NOTHING`;

type Written = JsonRow<
  typeof outboundRequest,
  'blockNumber' | 'logIndex' | 'accountId' | 'recipient' | 'tokenId' | 'amount' | 'overdueAt'
>;

/** Stores requests for transfers out; what is there already stays as it is. */
export async function insertRequests(to: Statements, requests: readonly OutboundRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const written = requests.map(({ recipient, amount, ...request }): Written => ({
    blockNumber: request.blockNumber,
    logIndex: request.logIndex,
    accountId: request.accountId,
    recipient: hexOf(addressToBytes(recipient)),
    tokenId: request.tokenId,
    amount: String(amount),
    overdueAt: request.overdueAt,
  }));
  await to.query({ name: 'add-requests', text: INSERT, values: [JSON.stringify(written)] });
}
