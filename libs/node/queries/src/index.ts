export { AnswerBudget, responseTooLarge } from './answer-budget.js';
export { BlockFinder, BlockResolver, type StateAtBlock } from './block-resolver.js';
export type { BlockView, LogView, PendingView, PrivateView, StateView } from './chain-view.js';
export { CriteriaSpace, type Criteria } from './criteria-space.js';
export { FilterRegistry, newFilterId, type Filter } from './filter-registry.js';
export { LogQuery, assertRange, matches, type LogLimits } from './log-query.js';
export { RecentEntries } from './recent-entries.js';
export { StateDumps, storageRange, type AccountRange, type DumpLimits } from './state-dumps.js';
export { SyncWatch, type SyncProgress } from './sync-watch.js';
