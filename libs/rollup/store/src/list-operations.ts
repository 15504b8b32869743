import { clientBytes } from '@tetrad/db';
import { operationKinds, type SignedKind } from '@tetrad/rollup-crypto';
import { addressToBytes, type Address } from '@tetrad/types';
import type { Prisma } from './generated/client.js';
import type { OperationStatus, StoredOperation } from './operation-rows.js';
import { OPERATION_FIELDS, parseOperation } from './parse-operation.js';
import { selectOf } from './read-row.js';
import type { RollupCalls } from './rollup-client.js';

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

/** A page of operations. The statement holds only the conditions that are asked for, so that the planner sees which index serves. */
export async function listOperations(calls: RollupCalls, query: OperationQuery): Promise<StoredOperation[]> {
  const rows = await calls.operation.findMany({
    where: { AND: conditionsOf(query) },
    select: selectOf(OPERATION_FIELDS),
    orderBy: [{ nonce: 'asc' }, { sequence: 'asc' }],
    take: query.limit,
  });
  return rows.map(parseOperation);
}

function conditionsOf(query: OperationQuery): Prisma.OperationWhereInput[] {
  const { kind, fromNonce, fromAccountId, toAccountId, toAccountIds, toAddress, status } = query;
  const { minAmount, maxAmount } = query;
  const [payer, receiver] =
    kind === 'redeemMoneyOrder'
      ? (['fromAccountId', 'accountId'] as const)
      : (['accountId', 'toAccountId'] as const);
  const conditions: (Prisma.OperationWhereInput | undefined)[] = [
    { kind: operationKinds[kind], nonce: { gte: fromNonce } },
    fromAccountId === undefined ? undefined : { [payer]: fromAccountId },
    toAccountId === undefined ? undefined : { [receiver]: toAccountId },
    toAccountIds === undefined ? undefined : { [receiver]: { in: [...toAccountIds] } },
    toAddress === undefined ? undefined : { toAddress: clientBytes(addressToBytes(toAddress)) },
    status === undefined ? undefined : { status },
    minAmount === undefined ? undefined : { amount: { gte: String(minAmount) } },
    maxAmount === undefined ? undefined : { amount: { lte: String(maxAmount) } },
  ];
  return conditions.filter((condition) => condition !== undefined);
}
