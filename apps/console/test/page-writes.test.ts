import { describe, expect, it } from '@jest/globals';
import { writeOutcomeOf } from '../page/src/api/send-write.js';
import { effectOfVote } from '../page/src/consensus/validator-vote.js';
import { newWriteId, pathOfWrite, writeText } from '../page/src/writes/write.js';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];

describe('the request of a write', () => {
  it('is ASCII that says what it is, and names the place and the network', () => {
    const at = { kind: 'node', name: 'bank\u202e/\u200b..' } as const;
    const write = { at, method: 'ibft_propose', params: [A, '\udcff', { deep: true }] };
    const text = writeText(write, { id: 'ab', chainId: 7 });
    expect(text).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(text)).toEqual({
      id: 'ab',
      chainId: 7,
      service: at.name,
      method: write.method,
      params: write.params,
    });
    expect(pathOfWrite(at)).toBe('/api/nodes/bank%E2%80%AE%2F%E2%80%8B../write');
    expect(pathOfWrite({ kind: 'signer' })).toBe('/api/signer/write');
  });

  it('has an id that no other has', () => {
    const ids = new Set(Array.from({ length: 100 }, newWriteId));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('an answer to a write', () => {
  it.each([
    [200, { result: null }, { kind: 'done', result: null }],
    [200, { result: '0x12' }, { kind: 'done', result: '0x12' }],
    [200, { refusal: 'no' }, { kind: 'refused', message: 'no' }],
    [409, { error: 'chainId' }, { kind: 'unsent', message: 'chainId' }],
    [502, { error: 'gone' }, { kind: 'unsent', message: 'gone' }],
    [504, { error: 'late' }, { kind: 'unknown', message: 'late' }],
    [500, { error: 'internal error' }, { kind: 'unknown', message: 'internal error' }],
    [503, '<html>', { kind: 'unknown', message: 'HTTP status 503' }],
    [200, { result: { of: 'another form' } }, { kind: 'unknown', message: 'HTTP status 200' }],
    [200, null, { kind: 'unknown', message: 'HTTP status 200' }],
  ])('with status %i and %j', (status, body, outcome) => {
    expect(writeOutcomeOf(status, body)).toEqual(outcome);
  });
});

describe('a vote', () => {
  const cast = (validator: string, address: string, authorize: boolean) => ({
    validator,
    address,
    authorize,
    block: 1,
  });
  const snapshot = {
    validators: [A, B, C],
    votes: [cast(A, D, true), cast(B, D, true), cast(B, C, false)],
  };

  it.each([
    ['in', { candidate: D.toUpperCase().replace('X', 'x'), authorize: true }, A, [true, 1, 2, 4]],
    ['in by another', { candidate: D, authorize: true }, C, [true, 2, 2, 4]],
    ['out', { candidate: C, authorize: false }, A, [true, 1, 2, 2]],
    ['of an account that is not a validator', { candidate: C, authorize: false }, D, [false, 1, 2, 2]],
    ['for what is already', { candidate: C, authorize: true }, A, [false, 0, 2, 3]],
  ] as const)('%s', (_, vote, voter, [counts, votes, needed, after]) => {
    expect(effectOfVote(snapshot, vote, voter)).toMatchObject({ counts, votes, needed, after });
  });

  it('on a chain without open votes', () => {
    expect(effectOfVote({ validators: [A] }, { candidate: B, authorize: true }, A)).toEqual({
      isValidator: true,
      counts: true,
      votes: 0,
      needed: 1,
      after: 2,
    });
  });
});
