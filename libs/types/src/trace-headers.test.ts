import { describe, expect, it } from '@jest/globals';
import { parseTraceHeaders, writeTraceHeaders } from './trace-headers.js';

/** The example of the specification. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`;

const stateOf = (tracestate: string) => parseTraceHeaders({ traceparent, tracestate })?.tracestate;

describe('parseTraceHeaders', () => {
  it('reads trace, span and flag', () => {
    const parent = { traceId: TRACE_ID, spanId: SPAN_ID, isSampled: true, tracestate: undefined };
    expect(parseTraceHeaders({ traceparent })).toEqual(parent);
    expect(parseTraceHeaders({ traceparent: traceparent.replace(/01$/, '00') })).toEqual({
      ...parent,
      isSampled: false,
    });
    // Other flags are for later versions.
    expect(parseTraceHeaders({ traceparent: traceparent.replace(/01$/, '03') })?.isSampled).toBe(true);
  });

  it('reads the known fields of a later version', () => {
    const later = `cc${traceparent.slice(2)}`;
    expect(parseTraceHeaders({ traceparent: later })?.traceId).toBe(TRACE_ID);
    expect(parseTraceHeaders({ traceparent: `${later}-what-the-future-has` })?.spanId).toBe(SPAN_ID);
  });

  it.each([
    ['no header', undefined],
    ['an empty one', ''],
    ['a repeated one', `${traceparent}, ${traceparent}`],
    ['a list', [traceparent]],
    ['upper case', traceparent.toUpperCase()],
    ['spaces around', ` ${traceparent} `],
    ['further fields of version 00', `${traceparent}-more`],
    ['version ff', `ff${traceparent.slice(2)}`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a span of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['a short trace', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['no flags', `00-${TRACE_ID}-${SPAN_ID}`],
    ['a line break', `${traceparent}\n`],
    ['a later version that is too long', `01${traceparent.slice(2)}-${'a'.repeat(256)}`],
  ])('ignores %s', (_, value) => {
    expect(parseTraceHeaders(value === undefined ? {} : { traceparent: value })).toBeUndefined();
  });
});

describe('tracestate', () => {
  it('is passed on, without empty members', () => {
    expect(stateOf('rojo=00f067aa0ba902b7, ,congo=t61rcWkgMzE')).toBe(
      'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
    );
    expect(stateOf('fw529a3039@dt=FfwAAAAB')).toBe('fw529a3039@dt=FfwAAAAB');
  });

  it.each([
    ['nothing', ''],
    ['a member without a value', 'rojo'],
    ['a member without a key', '=1'],
    ['an upper-case key', 'Rojo=1'],
    ['two equals signs', 'rojo=1=2'],
    ['a control character', 'rojo=a\tb'],
    ['too many members', Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(',')],
    ['too many characters', `rojo=${'a'.repeat(510)}`],
  ])('is dropped for %s, and the trace goes on', (_, tracestate) => {
    expect(parseTraceHeaders({ traceparent, tracestate })).toMatchObject({ traceId: TRACE_ID });
    expect(stateOf(tracestate)).toBeUndefined();
  });
});

it('writes what it reads', () => {
  const headers = { traceparent, tracestate: 'rojo=1' };
  const parent = parseTraceHeaders(headers);
  expect(parent && writeTraceHeaders(parent)).toEqual(headers);
  expect(parent && writeTraceHeaders({ ...parent, isSampled: false, tracestate: undefined })).toEqual({
    traceparent: traceparent.replace(/01$/, '00'),
  });
});
