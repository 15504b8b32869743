/** The parent of a span in another process. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  /** Whether the sender keeps its spans of the trace. */
  readonly isSampled: boolean;
  /** Values of the tracing systems that the trace has passed; text that is only passed on. */
  readonly tracestate: string | undefined;
}

/** Characters of a `traceparent` of a later version, which may have further fields. */
const MAX_TRACEPARENT = 256;
/** Characters and members of a `tracestate`: what the specification has every service pass on. */
const MAX_TRACESTATE = 512;
const MAX_MEMBERS = 32;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/;
const MEMBER_KEY = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
const MEMBER_VALUE = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Reads the trace headers of a request. Headers that break the format are ignored, as the specification demands: a
 * trace never makes a request fail.
 *
 * Source: W3C Trace Context, level 1, sections 3.2 and 3.3
 *
 * @param headers - names in lower case; repeated headers joined by a comma, as node:http does
 */
export function parseTraceHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): TraceParent | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && more !== undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, isSampled, tracestate: parseTraceState(tracestate) };
}

/** The headers for the next service. */
export function writeTraceHeaders({ traceId, spanId, isSampled, tracestate }: TraceParent): {
  readonly traceparent: string;
  readonly tracestate?: string;
} {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

/** The text without empty members; undefined unless every member has the format. */
function parseTraceState(text: string | readonly string[] | undefined): string | undefined {
  if (typeof text !== 'string' || text.length > MAX_TRACESTATE) return undefined;
  const members = text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  if (members.length === 0 || members.length > MAX_MEMBERS) return undefined;
  return members.every(isMember) ? members.join(',') : undefined;
}

function isMember(member: string): boolean {
  const [key = '', value = '', ...more] = member.split('=');
  return MEMBER_KEY.test(key) && MEMBER_VALUE.test(value) && more.length === 0;
}
