export { findProvenAccount, type ProvenAccount } from './account-state.js';
export {
  findOperationRecord,
  listOperationRecords,
  type Inclusion,
  type ListQuery,
  type OperationRecord,
} from './operation-records.js';
export { OrderProofs } from './order-proofs.js';
export type { Page } from './page.js';
export { findReceivedOrder, listReceivedOrders, type ReceivedListQuery } from './received-orders.js';
