import type { NodeConfig } from '../options/config.js';
import type { ExecutionLimits } from '@tetrad/node-simulation';
import type { RpcLimits } from './node-parts.js';

/** Limits on the executions of clients that have begun, and on the requests that wait to begin. */
const MAX_BEGUN_EXECUTIONS = 128;
const MAX_WAITING_EXECUTIONS = 10_000;
const WAITING_FOR_RECEIPTS = 1_000;
const MAX_TRACE_STEPS = 1_000_000;

export function rpcLimits(config: NodeConfig): RpcLimits {
  return {
    callGas: BigInt(config.rpcGasCap),
    estimateGas: BigInt(Math.min(config.rpcGasCap, config.rpcEstimateGasCap)),
    answerBytes: config.rpcMaxAnswerBytes,
    logs: config.rpcMaxLogs,
    logBlocks: config.rpcMaxLogBlocks,
    filters: config.rpcMaxFilters,
    filtersPerCaller: config.rpcMaxFiltersPerCaller,
    filterExpiryMs: config.rpcFilterExpiry,
    subscriptionsPerConnection: config.rpcMaxSubscriptions,
    traceSteps: MAX_TRACE_STEPS,
    traceBlocks: config.rpcMaxTraceBlocks,
    dumpSlots: config.rpcMaxDumpSlots,
    waitingForReceipts: WAITING_FOR_RECEIPTS,
    requestTimeoutMs: config.rpcRequestTimeout,
  };
}

export function executionLimits(config: NodeConfig): ExecutionLimits {
  return {
    timeoutMs: config.rpcExecutionTimeout,
    long: config.rpcMaxLongExecutions,
    begun: MAX_BEGUN_EXECUTIONS,
    waiting: MAX_WAITING_EXECUTIONS,
  };
}
