import type { OperationStatus } from '@tetrad/api-rollup-operator';
import type { OperatorClient } from '../operator/operator-client.js';
import {
  listConsentChanges,
  listCreations,
  listOutboundTransfers,
  listRedemptions,
} from '../operator/list-pages.js';

/** What the operator knows of the operations that are not in the account's state yet. */
export interface NonceUse {
  /** Nonce of the account's latest operation. */
  readonly current: number;
  /** The lowest nonce above it that no operation has or waits with. */
  readonly next: number;
  /** Orders that the operator has seen with that nonce. */
  readonly attempts: number;
}

/** Operations are few here: those that wait. Beyond, something is wrong with one of the two sides. */
const MAX_WAITING = 100_000;

/**
 * @param hasConsents - whether the contract has consents
 * @throws RangeError when more operations wait than can be
 */
export async function nonceUse(
  operator: OperatorClient,
  accountId: number,
  hasConsents = false,
): Promise<NonceUse> {
  const { nonce: current } = await operator.call('pazkp_getAccountNonce', [accountId]);
  const filter = { accountId, fromNonce: current + 1 };
  const used = new Set<number>();
  const made = new Map<number, number>();
  const note = ({ nonce, status }: { readonly nonce: number; readonly status: OperationStatus }) => {
    if (status !== 'REJECTED') used.add(nonce);
    if (used.size > MAX_WAITING) throw new RangeError(`more than ${MAX_WAITING} operations wait`);
  };
  for await (const item of listCreations(operator, filter)) {
    note(item);
    made.set(item.nonce, (made.get(item.nonce) ?? 0) + 1);
  }
  for await (const item of listRedemptions(operator, filter)) note(item);
  for await (const item of listOutboundTransfers(operator, filter)) note(item);
  if (hasConsents) for await (const item of listConsentChanges(operator, filter)) note(item);
  let next = current + 1;
  while (used.has(next)) next += 1;
  return { current, next, attempts: made.get(next) ?? 0 };
}
