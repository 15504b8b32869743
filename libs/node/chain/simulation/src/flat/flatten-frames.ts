import type { FlatTrace } from '@tetrad/api-node';
import { FAILURE } from '@tetrad/node-evm';
import type { Address } from '@tetrad/types';
import type { CallFrame } from '../tracing/call-frame.js';
import type { TraceBudget } from '../tracing/trace-budget.js';
import { wordsOfOpenEthereum } from './failure-words.js';

/** Bytes of one index of a trace address in the answer. */
const INDEX_BYTES = 3;

const NOTHING = new Uint8Array(0);
const CALL_TYPES = {
  CALL: 'call',
  CALLCODE: 'callcode',
  DELEGATECALL: 'delegatecall',
  STATICCALL: 'staticcall',
} as const;

/**
 * A tree of calls as a list, each call before those that it made.
 *
 * Cost: the depths of all frames together, as each has the indexes of its parents. The budget counts them: a hundred
 * thousand calls at depth 1,000 would otherwise have a hundred million.
 * @throws TraceTooLargeError
 */
export function flattenFrames(top: CallFrame, budget: TraceBudget): FlatTrace[] {
  const traces: FlatTrace[] = [];
  const rest: { readonly frame: CallFrame; readonly traceAddress: readonly number[] }[] = [
    { frame: top, traceAddress: [] },
  ];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { frame, traceAddress } = next;
    const { calls = [] } = frame;
    traces.push(traceOf(frame, { subtraces: calls.length, traceAddress }));
    budget.spend(INDEX_BYTES * (traceAddress.length + 1) * calls.length);
    for (let index = calls.length - 1; index >= 0; index--)
      rest.push({ frame: calls[index] as CallFrame, traceAddress: [...traceAddress, index] });
  }
  return traces;
}

function traceOf(frame: CallFrame, place: Pick<FlatTrace, 'subtraces' | 'traceAddress'>): FlatTrace {
  const { type, from, gas, input, value = 0n, error } = frame;
  const members = { ...place, ...(error === undefined ? {} : { error: wordsOfOpenEthereum(error) }) };
  if (type === 'SELFDESTRUCT') {
    const action = { address: from, refundAddress: frame.to as Address, balance: value };
    return { type: 'suicide', action, result: null, ...members };
  }
  if (type === 'CREATE' || type === 'CREATE2') {
    const creationMethod = type === 'CREATE' ? ('create' as const) : ('create2' as const);
    const action = { from, creationMethod, gas, init: input, value };
    return { type: 'create', action, result: creationResult(frame), ...members };
  }
  const callType = CALL_TYPES[type as keyof typeof CALL_TYPES];
  const action = { from, callType, gas, input, to: frame.to as Address, value };
  return { type: 'call', action, result: callResult(frame), ...members };
}

/** What a revert returned is a result; any other failure has none. */
function hasResult({ error }: CallFrame): boolean {
  return error === undefined || error === FAILURE.reverted;
}

function callResult(frame: CallFrame) {
  const { gasUsed, output = NOTHING } = frame;
  return hasResult(frame) ? { gasUsed, output } : null;
}

function creationResult(frame: CallFrame) {
  const { gasUsed, output: code = NOTHING, to: address } = frame;
  return hasResult(frame) ? { address, code, gasUsed } : null;
}
