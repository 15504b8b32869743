export type { Brand } from './brand.js';
export { withoutByteOrderMark } from './byte-order-mark.js';
export { firstLine } from './first-line.js';
export { bytesFromHex, bytesFromScalar, hexFromBytes, isHex, scalarFromBytes, type Hex } from './hex.js';
export {
  ZERO_ADDRESS,
  addressFromBytes,
  addressToBytes,
  isAddress,
  parseAddress,
  type Address,
} from './address.js';
export { isPtmKey, parsePtmKey, type PtmKey } from './ptm-key.js';
export { ZERO_HASH, hashFromBytes, hashToBytes, isHash, parseHash, type Hash } from './hash.js';
export { ConnectionLimit } from './connection-limit.js';
export { hostKey } from './host-key.js';
export { RetryTimer, backOffMs, pause, spreadMs, type BackOff } from './back-off.js';
export { mapConcurrently } from './map-concurrently.js';
export { keepNewest } from './keep-newest.js';
export { Listeners } from './listeners.js';
export { TimeSlices } from './time-slices.js';
export { Gate, type Patience } from './gate.js';
export { Turns } from './turns.js';
export { TetradError, type ErrorData, OperatorError, RequestError } from './tetrad-error.js';
export {
  silentLogger,
  silentMetrics,
  systemClock,
  type Clock,
  type Counter,
  type Gauge,
  type Histogram,
  type LogValues,
  type Logger,
  type Metrics,
} from './runtime.js';
export { parseTraceHeaders, writeTraceHeaders, type TraceParent } from './trace-headers.js';
export type { SpanOptions, SpanValues, TraceHeaders, Tracer } from './tracer.js';
export type {
  Block,
  LogFilter,
  MinedLog,
  MinedReceipt,
  MinedTransaction,
  SealedHeader,
  TransactionPosition,
} from './ledger/block.js';
export type { BlockHeader } from './ledger/header.js';
export type { Log, Receipt } from './ledger/receipt.js';
export type {
  AccessListEntry,
  AccessListTransaction,
  DynamicFeeTransaction,
  LegacyTransaction,
  SignedTransaction,
  TransactionType,
} from './ledger/transaction.js';
export { fullBucket, takeTokens, type BucketRate, type TokenBucket } from './token-bucket.js';
export { TokenBuckets } from './token-buckets.js';
export { settingsProblem, tomlLine, type SettingsIssue } from './settings-issue.js';
export { JobThread } from './threads/job-thread.js';
export { announceLoaded } from './threads/loading.js';
export { serveJobs, type Reply } from './threads/serve-jobs.js';
export { ThreadPool, type ThreadPoolOptions } from './threads/thread-pool.js';
export { startThread, threadFile, type Thread } from './threads/thread.js';
