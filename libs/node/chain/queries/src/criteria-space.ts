import type { LogCriteria, ReceiptsQuery } from '@tetrad/api-node';

/** The criteria of a filter or a subscription. */
export type Criteria = LogCriteria | ReceiptsQuery;

/** Bounds the addresses, topics and hashes that filters and subscriptions hold together: about a hundred bytes each. */
export class CriteriaSpace {
  private left: number;

  constructor(most = 1_000_000) {
    this.left = most;
  }

  take(criteria: Criteria | undefined): boolean {
    const size = sizeOf(criteria);
    if (size > this.left) return false;
    this.left -= size;
    return true;
  }

  giveBack(criteria: Criteria | undefined): void {
    this.left += sizeOf(criteria);
  }
}

function sizeOf(criteria: Criteria | undefined): number {
  if (criteria === undefined) return 0;
  if ('transactionHashes' in criteria) return criteria.transactionHashes?.length ?? 0;
  const { addresses, topics } = criteria;
  return topics.reduce((sum, wanted) => sum + (wanted?.length ?? 0), addresses.length);
}
