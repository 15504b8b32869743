import { describe, expect, it } from '@jest/globals';
import { encodeRlp } from '@tetrad/rlp';
import fc from 'fast-check';
import { decodeRequest, encodeRequest } from './request-message.js';
import {
  MAX_RANGE_ENTRIES,
  decodeStateAnswer,
  encodeStateAnswer,
  type StateAnswers,
  type WireRange,
} from './state-answer.js';
import {
  MAX_REQUESTED_CONTENTS,
  MAX_REQUESTED_HEADERS,
  MAX_REQUESTED_PAST,
  MAX_REQUESTED_RANGES,
  MAX_STATE_BUDGET,
  type StateQuestions,
  type StateRequest,
} from './state-request.js';
import { WireError } from './wire-fields.js';

const sized = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const part = fc.uint8Array({ minLength: 1, maxLength: 90 });
const byteBudget = fc.nat(MAX_STATE_BUDGET);
const question = fc.record({ root: sized(32), origin: sized(32), limit: sized(32) });

const requests: fc.Arbitrary<StateRequest> = fc.oneof(
  fc.record({
    kind: fc.constant('headers' as const),
    from: fc.maxSafeNat(),
    limit: fc.nat(MAX_REQUESTED_HEADERS),
    byteBudget,
  }),
  fc.record({
    kind: fc.constant('ranges' as const),
    byteBudget,
    questions: fc.array(question, { maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant('contents' as const),
    what: fc.constantFrom('node' as const, 'code' as const, 'preimage' as const),
    byteBudget,
    hashes: fc.array(sized(32), { maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant('validators' as const), number: fc.maxSafeNat() }),
  fc.record({
    kind: fc.constant('history' as const),
    from: fc.maxSafeNat(),
    limit: fc.nat(MAX_REQUESTED_PAST),
    byteBudget,
  }),
);

const range = fc.option(
  fc.record({
    entries: fc.array(fc.record({ key: sized(32), value: part }), { maxLength: 5 }),
    proof: fc.array(part, { maxLength: 5 }),
  }),
  { nil: undefined },
);
const answers = fc.oneof(
  fc.record({ kind: fc.constant('headers' as const), answer: fc.array(part, { maxLength: 5 }) }),
  fc.record({ kind: fc.constant('ranges' as const), answer: fc.array(range, { maxLength: 5 }) }),
  fc.record({
    kind: fc.constant('contents' as const),
    answer: fc.array(fc.option(part, { nil: undefined }), { maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constant('validators' as const),
    answer: fc.option(
      fc.record({ nodes: fc.array(part, { maxLength: 5 }), codes: fc.array(part, { maxLength: 5 }) }),
      { nil: undefined },
    ),
  }),
  fc.record({
    kind: fc.constant('history' as const),
    answer: fc.array(
      fc.option(
        fc.record({
          transactions: fc.array(part, { maxLength: 5 }),
          receipts: fc.array(part, { maxLength: 5 }),
        }),
        { nil: undefined },
      ),
      { maxLength: 5 },
    ),
  }),
);

const empty = new Uint8Array(32);
/** Questions with room for five items. */
const QUESTIONS: StateQuestions = {
  headers: { from: 0, limit: 5, byteBudget: 0 },
  ranges: { byteBudget: 0, questions: Array(5).fill({ root: empty, origin: empty, limit: empty }) },
  contents: { what: 'node', byteBudget: 0, hashes: Array(5).fill(empty) },
  validators: { number: 1 },
  history: { from: 5, limit: 5, byteBudget: 0 },
};

const plain = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) =>
    one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one,
  );

function damaged(bytes: Uint8Array, at: number, byte: number, isCut: boolean): Uint8Array {
  const changed = Uint8Array.from(bytes);
  if (changed.length > 0) changed[at % changed.length] = byte;
  return isCut ? changed.subarray(0, at % (changed.length + 1)) : changed;
}

function isReadOrRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
  }
}

describe('questions about the state', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(plain(decodeRequest(encodeRequest(request)))).toBe(plain(request));
      }),
    );
  });

  it('are read from damaged bytes as others or refused with WireError', () => {
    fc.assert(
      fc.property(requests, fc.nat(), fc.nat(255), fc.boolean(), (request, at, byte, isCut) => {
        isReadOrRefused(() => decodeRequest(damaged(encodeRequest(request), at, byte, isCut)));
      }),
    );
  });

  const wide = Array(MAX_REQUESTED_RANGES + 1).fill({ root: empty, origin: empty, limit: empty });
  it.each<[string, StateRequest]>([
    [
      'request: limit: above 1024',
      { kind: 'headers', from: 0, limit: MAX_REQUESTED_HEADERS + 1, byteBudget: 1 },
    ],
    [
      'request: byteBudget: above 2097152',
      { kind: 'ranges', byteBudget: MAX_STATE_BUDGET + 1, questions: [] },
    ],
    ['questions: more than 256 items', { kind: 'ranges', byteBudget: 1, questions: wide }],
    [
      'hashes: more than 1024 items',
      {
        kind: 'contents',
        what: 'code',
        byteBudget: 1,
        hashes: Array(MAX_REQUESTED_CONTENTS + 1).fill(empty),
      },
    ],
    [
      'question: origin: not 32 bytes',
      {
        kind: 'ranges',
        byteBudget: 1,
        questions: [{ root: empty, origin: empty.subarray(1), limit: empty }],
      },
    ],
  ])('are refused with "%s"', (message, request) => {
    expect(() => decodeRequest(encodeRequest(request))).toThrow(new WireError(message));
  });

  it('are refused that ask for contents of no kind', () => {
    for (const what of [0, 4])
      expect(() =>
        decodeRequest(encodeRlp([7, what, 1].map((one) => Uint8Array.of(one)).concat([]))),
      ).toThrow(WireError);
  });
});

describe('answers about the state', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(answers, ({ kind, answer }) => {
        const bytes = encodeStateAnswer(kind, answer as StateAnswers[typeof kind]);
        expect(plain(decodeStateAnswer(kind, bytes, QUESTIONS[kind]))).toBe(plain(answer));
      }),
    );
  });

  it('are read from damaged bytes as others or refused with WireError', () => {
    fc.assert(
      fc.property(answers, fc.nat(), fc.nat(255), fc.boolean(), ({ kind, answer }, at, byte, isCut) => {
        const bytes = encodeStateAnswer(kind, answer as StateAnswers[typeof kind]);
        isReadOrRefused(() => decodeStateAnswer(kind, damaged(bytes, at, byte, isCut), QUESTIONS[kind]));
      }),
    );
  });

  it('are refused with more items than were asked for', () => {
    const six = Array<Uint8Array>(6).fill(Uint8Array.of(1));
    const ranges = Array<undefined>(6).fill(undefined);
    expect(() => decodeStateAnswer('headers', encodeStateAnswer('headers', six), QUESTIONS.headers)).toThrow(
      'more than 5 items',
    );
    expect(() =>
      decodeStateAnswer('contents', encodeStateAnswer('contents', six), QUESTIONS.contents),
    ).toThrow('more than 5 items');
    expect(() =>
      decodeStateAnswer('history', encodeStateAnswer('history', ranges), QUESTIONS.history),
    ).toThrow('more than 5 items');
    expect(() => decodeStateAnswer('ranges', encodeStateAnswer('ranges', ranges), QUESTIONS.ranges)).toThrow(
      'more than 5 items',
    );
  });

  it('have bounded entries over all ranges, proofs and values', () => {
    const entry = { key: empty, value: Uint8Array.of(1) };
    const half: WireRange = { entries: Array(MAX_RANGE_ENTRIES / 2 + 1).fill(entry), proof: [] };
    const refused = (range: WireRange, count = 1) => {
      const bytes = encodeStateAnswer('ranges', Array<WireRange>(count).fill(range));
      return () => decodeStateAnswer('ranges', bytes, QUESTIONS.ranges);
    };
    expect(refused(half)).not.toThrow();
    expect(refused(half, 2)).toThrow('entries: more than 2047 items');
    expect(refused({ entries: [], proof: Array(131).fill(empty) })).toThrow('proof: more than 130 items');
    expect(refused({ entries: [], proof: [new Uint8Array(601)] })).toThrow(
      'proof: part: more than 600 bytes',
    );
    expect(refused({ entries: [{ key: empty, value: new Uint8Array(129) }], proof: [] })).toThrow(
      'entry: value: more than 128 bytes',
    );
    expect(refused({ entries: [{ key: empty.subarray(1), value: empty }], proof: [] })).toThrow(
      'entry: key: not 32 bytes',
    );
  });
});
