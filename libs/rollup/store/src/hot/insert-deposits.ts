import { addressToBytes } from '@tetrad/types';
import type { ChainEvents } from '../chain-events.js';
import { deposit } from '../generated/tables.js';
import { hexOf, jsonRecord, type JsonRow } from '../json-record.js';
import type { Statements } from '../statements.js';

const record = jsonRecord(deposit, {
  index: 'bigint',
  accountId: 'int',
  tokenId: 'int',
  amount: 'numeric',
  sender: 'bytea',
  blockNumber: 'bigint',
} as const);
const INSERT = `
  INSERT INTO ${deposit.table} (${record.columns})
  SELECT ${record.values} FROM json_to_recordset($1::json) AS new (${record.definition})
  ON CONFLICT DO NOTHING`;

type Written = JsonRow<
  typeof deposit,
  'index' | 'accountId' | 'tokenId' | 'amount' | 'sender' | 'blockNumber'
>;

/** Stores deposits; what is there already stays as it is. */
export async function insertDeposits(to: Statements, deposits: ChainEvents['deposits']): Promise<void> {
  if (deposits.length === 0) return;
  const written = deposits.map(({ index, accountId, tokenId, amount, sender, blockNumber }): Written => ({
    index,
    accountId,
    tokenId,
    amount: String(amount),
    sender: hexOf(addressToBytes(sender)),
    blockNumber,
  }));
  await to.query({ name: 'add-deposits', text: INSERT, values: [JSON.stringify(written)] });
}
