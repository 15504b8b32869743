import { describe, expect, it } from '@jest/globals';
import { RecoveryResult, type RecoveryOutcome } from '@tetrad/transaction-manager';
import { recoveryReport } from './recovery-report.js';

const [A, B] = ['http://a/', 'http://b/'] as const;
const NOTHING: RecoveryOutcome = {
  result: RecoveryResult.Failure,
  answered: [],
  failed: [],
  incomplete: [],
  restored: [],
  unchecked: [],
  unresolved: 0,
  missing: [],
};
const linesOf = (outcome: Partial<RecoveryOutcome>) =>
  recoveryReport({ ...NOTHING, ...outcome })
    .trimEnd()
    .split('\n');

describe('the report of a recovery', () => {
  it('warns of a peer that cannot know whether it has all, and does not call the recovery complete', () => {
    const lines = linesOf({ result: RecoveryResult.Success, answered: [A], unchecked: [B] });
    expect(lines.slice(0, 2)).toEqual([`${A} sent all it has for us`, `${B} sent all it has for us`]);
    expect(lines[2]).toMatch(/^warning: http:\/\/b\/ cannot know .* began empty.*\/readyz/);
    expect(lines[3]).toMatch(/^received, with warnings: /);
    expect(lines.filter((line) => /^(not )?complete/.test(line))).toEqual([]);
    expect(lines.join('\n')).toMatch(/waits by itself.*re-execute-private --from auto/s);
  });

  it('calls it complete when every peer sent all it ever had', () => {
    const lines = linesOf({ result: RecoveryResult.Success, answered: [A, B] });
    expect(lines[2]).toMatch(/^complete: /);
    expect(lines.filter((line) => line.includes('warning'))).toEqual([]);
  });

  it.each<[string, Partial<RecoveryOutcome>, RegExp]>([
    ['was restored', { restored: [B] }, /^http:\/\/b\/ .*may have lost payloads itself/],
    ['has no batches', { incomplete: [B] }, /^http:\/\/b\/ .*without privacy flags only/],
    ['failed', { failed: [{ url: B, reason: 'no answer' }] }, /^http:\/\/b\/ failed: no answer$/],
    ['is unchecked, and payloads wait', { unchecked: [B], unresolved: 2 }, /^2 payloads wait for contracts/],
  ])('says that it is not complete when a peer %s', (_, outcome, line) => {
    const lines = linesOf({ result: RecoveryResult.Partial, answered: [A], ...outcome });
    expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.at(-1)).toMatch(/^not complete: run it again/);
  });

  it('says that no peer is known', () => {
    expect(linesOf({})[0]).toBe('no peer is known');
  });
});
