/** The database belongs to another chain or another node, or does not hold what it must. */
export class LedgerStoreError extends Error {
  override readonly name = 'LedgerStoreError';
}
