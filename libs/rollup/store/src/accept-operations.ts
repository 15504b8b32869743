import type { Database } from '@tetrad/db';
import { insertOperations, type GroupedOperation } from './hot/insert-operations.js';
import { lockAcceptance } from './hot/lock-acceptance.js';
import { replacePending } from './hot/replace-pending.js';
import { signingAccountId, type AcceptedOperation, type SignedOperation } from './operation-rows.js';
import { writtenOperation } from './written-operation.js';

/** `PUBLIC_KEY_ALREADY_EXISTS` is for account creations only, of which nothing is stored then. */
export type Acceptance = 'ACCEPTED' | 'PUBLIC_KEY_ALREADY_EXISTS';

/**
 * Stores a group of operations in one transaction; acknowledged means stored. What was pending with the nonce of one of them is
 * replaced by it.
 *
 * In:  operations that were checked; several with one account and nonce: the last one holds
 * Out: for each what became of it
 */
export function acceptOperations(
  database: Database,
  group: readonly AcceptedOperation[],
): Promise<Acceptance[]> {
  const written = writtenGroup(group);
  return database.transaction(async (statements) => {
    await lockAcceptance(statements);
    await replacePending(
      statements,
      written.filter(({ accountId, replaced }) => accountId !== undefined && !replaced),
    );
    const accepted = await insertOperations(statements, written);
    return group.map(({ hash }) => (accepted.has(hash) ? 'ACCEPTED' : 'PUBLIC_KEY_ALREADY_EXISTS'));
  });
}

/** Each operation once, and of those with one account and nonce all but the last as replaced. */
function writtenGroup(group: readonly AcceptedOperation[]): GroupedOperation[] {
  const last = new Map<string, bigint>();
  for (const { hash, operation } of group) {
    const place = noncePlace(operation);
    if (place !== undefined) last.set(place, hash);
  }
  const unique = new Map(group.map((accepted) => [accepted.hash, accepted]));
  return [...unique.values()].map((accepted, position) => {
    const place = noncePlace(accepted.operation);
    const replaced = place !== undefined && last.get(place) !== accepted.hash;
    return { ...writtenOperation(accepted), position, replaced };
  });
}

function noncePlace(operation: SignedOperation): string | undefined {
  const accountId = signingAccountId(operation);
  return accountId === undefined || operation.kind === 'createAccount'
    ? undefined
    : `${accountId}/${operation.nonce}`;
}
