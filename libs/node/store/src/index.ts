import { fileURLToPath } from 'node:url';

export type {
  BlockRow,
  BlockWrite,
  ChainIdentity,
  FoundLogRow,
  HashedBytes,
  LogQuery,
  LogRow,
  PoolRow,
  TransactionRow,
} from './ledger-rows.js';
export { ConsensusRecords, type ConsensusRecordRow } from './consensus-records.js';
export { LedgerStoreError } from './ledger-store-error.js';
export { openLedgerStore, type LedgerStore } from './ledger-store.js';
export { PoolJournal } from './pool-journal.js';

/** Folder of the node's schema and migrations. */
export const NODE_PRISMA_FOLDER = fileURLToPath(new URL('../../../../prisma/node', import.meta.url));
