import { describe, expect, it } from '@jest/globals';
import { MemberNames } from './member-names.js';

const NAMES = new MemberNames(['to', 'gasPrice', 'sigType']);
const respell = (object: Readonly<Record<string, unknown>>) =>
  NAMES.respell(object, ({ member, name }) => new Error(`${member} is ${name}`));

describe('names of members', () => {
  it('are read in any letter case, and others stay', () => {
    const read = respell({ TO: 1, gasprice: 2, note: 3, Note: 4 });
    expect(Object.entries(read)).toEqual([
      ['to', 1],
      ['gasPrice', 2],
      ['note', 3],
      ['Note', 4],
    ]);
  });

  it('that are spelled as known leave the object as it is', () => {
    const object = { to: 1, other: 2 };
    expect(respell(object)).toBe(object);
  });

  it.each([
    [{ to: 1, To: 2 }, 'To is to'],
    [{ To: 1, to: 2 }, 'to is to'],
    [{ TO: 1, To: 2 }, 'To is to'],
    [{ gasPrice: 1, GASPRICE: 1 }, 'GASPRICE is gasPrice'],
    // One letter to Go, others to most readers.
    [{ '\u017figType': 1 }, '\u017figType is sigType'],
  ])('are refused when readers differ: %j', (object, problem) => {
    expect(() => respell(object)).toThrow(problem);
  });

  it('of the prototype of an object are none', () => {
    const object = JSON.parse('{"TO":1,"__proto__":{"to":2},"constructor":3}') as Record<string, unknown>;
    expect(Object.entries(respell(object))).toEqual([
      ['to', 1],
      ['__proto__', { to: 2 }],
      ['constructor', 3],
    ]);
  });
});
