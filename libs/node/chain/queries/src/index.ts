export { AnswerBudget, responseTooLarge } from './answer-budget.js';
export { BlockFinder, BlockResolver, type StateAtBlock } from './block-resolver.js';
export {
  BlockNotifier,
  receiptFilter,
  type BlockNotifierParts,
  type NotifiedBlock,
} from './block-notifier.js';
export type { BlockView, LogView, PendingView, PrivateView, StateView } from './chain-view.js';
export { CriteriaSpace, type Criteria } from './criteria-space.js';
export { FeeHistoryQuery, type FeeRequest, type FeeView } from './fee-history.js';
export { FilterPoll, type FilterChanges, type FilterPollParts } from './filter-poll.js';
export { FilterRegistry, type Filter } from './filter-registry.js';
export { LogQuery, matches, type LogLimits } from './log-query.js';
export { accountsModified, type ComparedBlocks } from './modified-accounts.js';
export { RecentEntries } from './recent-entries.js';
export { shareOwner, type Asker } from './share-owner.js';
export { StateDumps, storageRange, type AccountRange, type DumpLimits } from './state-dumps.js';
export {
  SubscriptionRegistry,
  type Subscriber,
  type SubscriptionLimits,
  type Wanted,
} from './subscription-registry.js';
export { SyncWatch, type SyncProgress } from './sync-watch.js';
