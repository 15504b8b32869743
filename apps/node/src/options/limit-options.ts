import { booleanOption, defineOptions, durationOption, integerOption, option } from '@tetrad/service';

const LIMITS = 'Limits';

/** Bounds of what requests cost, and sizes of caches. */
export const limitOptions = defineOptions({
  rpcGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Gas limit of eth_call and of an execution of eth_estimateGas.',
    default: 50_000_000,
  }),
  rpcEstimateGasCap: option(integerOption({ min: 21_000, max: 10_000_000_000 }), {
    group: LIMITS,
    description: 'Gas limit of an execution of eth_estimateGas, when lower.',
    default: 50_000_000,
  }),
  rpcExecutionTimeout: option(durationOption({ min: 100, max: 3_600_000 }), {
    group: LIMITS,
    description: 'Time limit of a call, an estimate or a trace.',
    default: 5_000,
  }),
  rpcMaxLongExecutions: option(integerOption({ min: 1, max: 1_000 }), {
    group: LIMITS,
    description:
      'Maximum number of concurrent calls, estimates and traces that take more than a few milliseconds; others wait.',
    default: 4,
  }),
  callThreads: option(integerOption({ min: 0, max: 64 }), {
    group: LIMITS,
    description:
      'Threads for eth_call, eth_estimateGas, eth_createAccessList and debug_traceCall; 0 runs them on the main thread, alternating with consensus.',
    default: 0,
  }),
  callThreadMemoryMb: option(integerOption({ min: 64, max: 100_000 }), {
    group: LIMITS,
    description: 'Heap of each of these threads; a call that runs when two thirds of it are in use fails.',
    unit: 'MB',
    default: 512,
  }),
  rpcMaxLogs: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of logs in a response.',
    default: 20_000,
  }),
  rpcMaxLogBlocks: option(integerOption({ min: 1, max: 1_000_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of blocks in a log search.',
    default: 1_000_000,
  }),
  rpcMaxTraceBlocks: option(integerOption({ min: 1, max: 1_000_000 }), {
    group: LIMITS,
    description:
      'Maximum number of blocks in a search of traces (trace_filter), which executes their transactions again.',
    default: 1_000,
  }),
  rpcMaxDumpSlots: option(integerOption({ min: 1, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of storage slots that debug_dumpAddress returns.',
    default: 100_000,
  }),
  rpcMaxFilters: option(integerOption({ min: 0, max: 1_000_000 }), {
    group: LIMITS,
    description: 'Maximum number of polling filters.',
    default: 10_000,
  }),
  rpcMaxFiltersPerCaller: option(integerOption({ min: 0, max: 1_000_000 }), {
    group: LIMITS,
    description:
      'Maximum number of polling filters of one caller: the subject of a token, or without tokens an address.',
    default: 1_000,
  }),
  rpcFilterExpiry: option(durationOption({ min: 1_000 }), {
    group: LIMITS,
    description: 'A filter that is not polled for this time is removed.',
    default: 300_000,
  }),
  rpcMaxSubscriptions: option(integerOption({ min: 0, max: 100_000 }), {
    group: LIMITS,
    description: 'Maximum number of subscriptions of a WebSocket connection.',
    default: 100,
  }),
  rpcMaxAsyncSends: option(integerOption({ min: 1, max: 100_000 }), {
    group: LIMITS,
    description: 'Maximum number of concurrent asynchronous sends.',
    default: 100,
  }),
  callbackAllowPrivate: option(booleanOption(), {
    group: LIMITS,
    description: 'Allow callbacks of eth_sendTransactionAsync to loopback, link-local and private addresses.',
    default: false,
  }),
  stateCacheMb: option(integerOption({ min: 1, max: 100_000 }), {
    group: LIMITS,
    description: 'Memory for trie nodes.',
    unit: 'MB',
    default: 64,
  }),
  cachedTransactions: option(integerOption({ min: 100, max: 10_000_000 }), {
    group: LIMITS,
    description: 'Number of transactions whose blocks and receipts are cached.',
    default: 8_000,
  }),
});
