import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { fullBucket, parseTraceHeaders, takeTokens, type TokenBucket, type TraceParent } from '@tetrad/types';
import { callerOf } from '../caller.js';

/** Traces that callers without credentials may have sampled. */
const STRANGER_RATE = { perSecond: 100, burst: 200 };

export interface IncomingParentRules {
  /** Whether this service samples the trace by its own ratio, which follows from the trace id. */
  readonly isInRatio: (traceId: string) => boolean;
  readonly now: () => number;
}

/**
 * The caller's span, as far as the caller is believed. A caller that proved its identity, by a token or a certificate,
 * decides whether its trace is sampled. Any other caller only selects among what the ratio of this service samples
 * anyway, at a bounded rate: choosing the flag and the trace id must not make the service work.
 */
export class IncomingParent {
  private bucket: TokenBucket;

  constructor(private readonly rules: IncomingParentRules) {
    this.bucket = fullBucket(STRANGER_RATE, rules.now());
  }

  of(request: IncomingMessage): TraceParent | undefined {
    if (request.headers['traceparent'] === undefined) return undefined;
    const parent = parseTraceHeaders(request.headers);
    if (parent === undefined || !parent.isSampled || isKnown(request)) return parent;
    return { ...parent, isSampled: this.rules.isInRatio(parent.traceId) && this.takeOne() };
  }

  private takeOne(): boolean {
    const left = takeTokens(this.bucket, STRANGER_RATE, { amount: 1, nowMs: this.rules.now() });
    if (left !== undefined) this.bucket = left;
    return left !== undefined;
  }
}

function isKnown(request: IncomingMessage): boolean {
  return (
    callerOf(request).subject !== undefined || (request.socket as Partial<TLSSocket>).authorized === true
  );
}
