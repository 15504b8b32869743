import type { CallTreeEntry, InternalOperation } from '@tetrad/api-node';
import type { Address } from '@tetrad/types';
import type { CallFrame } from '../tracing/call-frame.js';

const NOTHING = new Uint8Array(0);

/** Numbers of kinds, as Otterscan reads them. */
const OPERATION = { transfer: 0, selfDestruct: 1, create: 2, create2: 3 } as const;

/** A frame, how deep it is, and whether it or one that it is part of failed. */
interface Visited {
  readonly frame: CallFrame;
  readonly depth: number;
  readonly hasFailed: boolean;
}

/** Every call before those that it made. Cost: the number of frames */
function* walk(top: CallFrame): Generator<Visited, void> {
  const rest: Visited[] = [{ frame: top, depth: 0, hasFailed: top.error !== undefined }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next;
    const { calls = [] } = next.frame;
    for (const frame of calls.toReversed())
      rest.push({ frame, depth: next.depth + 1, hasFailed: next.hasFailed || frame.error !== undefined });
  }
}

/** All calls with their depths, as Otterscan draws them. */
export function callTreeOf(top: CallFrame): CallTreeEntry[] {
  return Array.from(walk(top), ({ frame, depth }) => {
    const { type, from, input, output = NOTHING } = frame;
    const moves = type !== 'DELEGATECALL' && type !== 'STATICCALL';
    return {
      type,
      depth,
      from,
      to: recipientOf(frame),
      value: moves ? (frame.value ?? 0n) : null,
      input,
      output,
    };
  });
}

/** Transfers of wei, creations and self-destructions that contracts made. What failed moved nothing, and is left out. */
export function internalOperationsOf(top: CallFrame): InternalOperation[] {
  return Array.from(walk(top)).flatMap(({ frame, depth, hasFailed }) => {
    const type = depth === 0 || hasFailed ? undefined : operationOf(frame);
    if (type === undefined) return [];
    return [{ type, from: frame.from, to: recipientOf(frame), value: frame.value ?? 0n }];
  });
}

function operationOf({ type, value = 0n }: CallFrame): InternalOperation['type'] | undefined {
  switch (type) {
    case 'CALL':
      return value === 0n ? undefined : OPERATION.transfer;
    case 'SELFDESTRUCT':
      return OPERATION.selfDestruct;
    case 'CREATE':
      return OPERATION.create;
    case 'CREATE2':
      return OPERATION.create2;
    default:
      return undefined;
  }
}

/** Of a creation the contract; a private creation that was not executed here has none, and shows its creator. */
function recipientOf({ to, from }: CallFrame): Address {
  return to ?? from;
}
