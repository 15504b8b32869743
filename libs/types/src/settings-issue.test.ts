import { describe, expect, it } from '@jest/globals';
import { settingsProblem, tomlLine } from './settings-issue.js';

const TEXT = 'top = 1\n\n[[rule]]\nname = "a"\n[[rule]]\n  name = "b"\n max-gas=5\n[other]\nname = "c"\n';

describe('a setting', () => {
  it.each<[readonly PropertyKey[], number | undefined]>([
    [['rule', 0, 'name'], 4],
    [['rule', 1, 'max-gas'], 7],
    [['rule', 1, 'keys', 0], 5],
    [['rule', 2], undefined],
    [['other', 'name'], 9],
    [['none', 'name'], undefined],
  ])('%j is found where it, or its table, stands', (path, line) => {
    expect(tomlLine(TEXT, path)).toBe(line);
  });

  it('is described in our words', () => {
    const say = (issue: object) => settingsProblem({ path: [], ...issue } as never);
    const received = (kind: string) => `Invalid input: expected string, received ${kind}`;
    expect(say({ code: 'invalid_type', expected: 'string', message: received('undefined') })).toBe(
      'is required',
    );
    expect(say({ code: 'invalid_type', expected: 'string', message: received('number') })).toBe(
      'must be text',
    );
    expect(say({ code: 'unrecognized_keys', keys: ['a'], message: 'Unrecognized key: "a"' })).toBe(
      'unknown setting a',
    );
    expect(say({ code: 'custom', message: 'must be a 20-byte 0x address' })).toBe(
      'must be a 20-byte 0x address',
    );
  });
});
