import type { RollupCalls } from './rollup-client.js';

/** Rejects pending registrations, and frees their keys, so that their holders can register again. */
export async function rejectRegistrations(calls: RollupCalls, sequences: readonly number[]): Promise<void> {
  const rejected = await calls.operation.updateManyAndReturn({
    where: { sequence: { in: [...sequences] }, status: 'PENDING' },
    data: { status: 'REJECTED', rejectionReason: 'ACCOUNT_ALREADY_EXISTS', waiting: false },
    select: { hash: true },
  });
  const hashes = rejected.map(({ hash }) => hash);
  await calls.account.deleteMany({ where: { operationHash: { in: hashes }, accountId: null } });
}
