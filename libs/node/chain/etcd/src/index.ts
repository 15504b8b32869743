export { EtcdClient, type EndpointStatus } from './etcd-client.js';
export { EtcdError, type EtcdErrorKind } from './etcd-error.js';
export type { EtcdCredentials, EtcdSettings, EtcdTls } from './settings.js';
export { prefixEnd, type Comparison, type EtcdKey, type Operation } from './requests.js';
export type { RangeRequest, Transaction } from './requests.js';
export type {
  Entry,
  LeaseAnswer,
  MemberStatus,
  OperationResult,
  RangeAnswer,
  RangeResult,
  TransactionAnswer,
} from './answers.js';
export type { WatchEvent } from './watch/watch-message.js';
export type { Watch, WatchOptions } from './watch/watch-options.js';
