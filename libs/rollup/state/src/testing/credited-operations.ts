import type { MoneyOrder } from '@tetrad/rollup-crypto';
import type { KnownAccount } from '../account.js';
import type { BatchPlan } from '../batch.js';
import { creditAfter, directOrder } from '../credit.js';
import { executeOperation } from '../execution.js';
import type { MemoryState } from '../memory-state.js';
import type { RollupOperation } from '../rollup-operation.js';

/**
 * The operations of the next batch with the credits that may follow them, as an operator adds them.
 * @param isWanted - whether a credit that may be made is made
 */
export function creditedOperations(
  state: MemoryState,
  { domain, height, size }: BatchPlan,
  operations: readonly RollupOperation[],
  isWanted: () => boolean = () => true,
): RollupOperation[] {
  const changed = new Map<number, KnownAccount>();
  const account = (id: number) => changed.get(id) ?? state.account(id);
  let before: MoneyOrder | undefined;
  let places = 0;
  const execute = (operation: RollupOperation): boolean => {
    const credits = { domain, height, before };
    const execution = executeOperation({ ...state.executionView(domain), account, credits }, operation);
    if (places === size || execution.status !== 'EXECUTED') return false;
    const { after } = execution.effects;
    if (after !== undefined) changed.set(after.id, after);
    before = directOrder(operation);
    places += 1;
    return true;
  };
  return operations.flatMap((operation) => {
    if (!execute(operation)) return [operation];
    const receiver = account(before?.toAccountId ?? 0);
    const credit = creditAfter({ domain, height }, operation, receiver);
    return credit === undefined || !isWanted() || !execute(credit) ? [operation] : [operation, credit];
  });
}
