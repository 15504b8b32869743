import type { Database } from '@tetrad/db';
import type { SignedKind } from '@tetrad/rollup-crypto';
import { operationKinds, encodeWord } from '@tetrad/rollup-crypto';
import { asBuffer } from '@tetrad/db';
import { addressToBytes, type Address } from '@tetrad/types';
import {
  OPERATION_COLUMNS,
  parseOperation,
  type OperationStatus,
  type RawOperation,
  type StoredOperation,
} from './operation-rows.js';

/** Which operations of one kind a page holds; they are in the order of their nonces. */
export interface OperationQuery {
  readonly kind: SignedKind['kind'];
  readonly fromNonce: number;
  readonly fromAccountId?: number | undefined;
  readonly toAccountId?: number | undefined;
  /** Only to one of these; none when it is empty. */
  readonly toAccountIds?: readonly number[] | undefined;
  readonly toAddress?: Address | undefined;
  readonly status?: OperationStatus | undefined;
  readonly minAmount?: bigint | undefined;
  readonly maxAmount?: bigint | undefined;
  readonly limit: number;
}

type Statements = Pick<Database['pool'], 'query'>;

export async function findOperation(from: Statements, hash: bigint): Promise<StoredOperation | undefined> {
  const { rows } = await from.query<RawOperation>({
    name: 'find-operation',
    text: `SELECT ${OPERATION_COLUMNS} FROM operation WHERE hash = $1`,
    values: [asBuffer(encodeWord(hash))],
  });
  return rows[0] === undefined ? undefined : parseOperation(rows[0]);
}

/** The statement holds only the conditions that are asked for, so that the planner sees which index serves. */
export async function listOperations(from: Statements, query: OperationQuery): Promise<StoredOperation[]> {
  const values: unknown[] = [];
  const conditions = conditionsOf(query).map(([condition, value]) => {
    values.push(value);
    return condition.replace('?', `$${values.length}`);
  });
  const { rows } = await from.query<RawOperation>({
    text: `SELECT ${OPERATION_COLUMNS} FROM operation WHERE ${conditions.join(' AND ')}
            ORDER BY nonce, sequence LIMIT ${query.limit}`,
    values,
  });
  return rows.map(parseOperation);
}

function conditionsOf(query: OperationQuery): [string, unknown][] {
  const payer = query.kind === 'redeemMoneyOrder' ? 'from_account_id' : 'account_id';
  const receiver = query.kind === 'redeemMoneyOrder' ? 'account_id' : 'to_account_id';
  const conditions: [string, unknown][] = [
    ['kind = ?', operationKinds[query.kind]],
    ['nonce >= ?', query.fromNonce],
    [`${payer} = ?`, query.fromAccountId],
    [`${receiver} = ?`, query.toAccountId],
    [`${receiver} = ANY(?::int[])`, query.toAccountIds],
    ['to_address = ?', query.toAddress === undefined ? undefined : asBuffer(addressToBytes(query.toAddress))],
    ['status = ?', query.status],
    ['amount >= ?', query.minAmount?.toString()],
    ['amount <= ?', query.maxAmount?.toString()],
  ];
  return conditions.filter(([, value]) => value !== undefined);
}
