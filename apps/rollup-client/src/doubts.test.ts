import { describe, expect, it } from '@jest/globals';
import type { RollupAccount, RollupToken } from '@tetrad/rollup-client';
import { ZERO_ADDRESS, parseAddress } from '@tetrad/types';
import { dispel, doubtOfAddress, doubtOfAmount, doubtOfQueue, doubtOfUnit } from './doubts.js';

const ETHER = { id: 0, address: ZERO_ADDRESS, unit: 10n ** 9n } as RollupToken;
const CONTRACT = parseAddress(`0x${'c0'.repeat(20)}`);

const holding = (units: bigint) =>
  ({
    state: () => Promise.resolve({ account: { balances: new Map([[0, units]]) }, height: 7 }),
  }) as unknown as RollupAccount;

function terminalOf(answer?: boolean) {
  const said: string[] = [];
  const note = (line: string) => void said.push(line);
  const ask = (question: string) => {
    said.push(question);
    return Promise.resolve(answer ?? false);
  };
  return { said, terminal: { say: note, warn: note, ...(answer === undefined ? {} : { ask }) } };
}

describe('doubts about a payment', () => {
  it('are those about more than the account holds', async () => {
    expect(await doubtOfAmount(holding(100n), 100n, ETHER)).toBeUndefined();
    expect(await doubtOfAmount(holding(100n), 101n, ETHER)).toMatch(
      /^the account has 100 units .* after batch 7/,
    );
    const other = { ...ETHER, id: 3 };
    expect(await doubtOfAmount(holding(100n), 1n, other)).toMatch(/^the account has 0 units of token 3/);
  });

  it('are those about addresses that return nothing', () => {
    expect(doubtOfAddress(parseAddress(`0x${'5e'.repeat(20)}`), CONTRACT)).toBeUndefined();
    expect(doubtOfAddress(ZERO_ADDRESS, CONTRACT)).toContain('zero address');
    expect(doubtOfAddress(CONTRACT, CONTRACT)).toContain('rollup contract');
  });

  it('are those about a unit that is more than a whole token, or of nothing known', () => {
    const token = { id: 1, address: CONTRACT, unit: 10n ** 6n } as RollupToken;
    for (const decimals of [6, 18]) expect(doubtOfUnit(token, decimals)).toBeUndefined();
    const what = `a unit of token 1 is 1000000 base units of ${CONTRACT}, which`;
    expect(doubtOfUnit(token, 5)).toBe(`${what} has 5 decimals`);
    expect(doubtOfUnit(token, undefined)).toBe(`${what} does not say its decimals`);
    expect(doubtOfUnit(ETHER, undefined)).toBeUndefined();
  });

  it('are those about a queue of deposits that the operator may leave for more than two time-outs', () => {
    expect(doubtOfQueue({ waiting: 5n, seconds: 200n, stallTimeout: 100n })).toBeUndefined();
    expect(doubtOfQueue({ waiting: 900n, seconds: 201n, stallTimeout: 100n })).toBe(
      '900 deposits wait: the operator has 201 s to take one that is made now',
    );
  });

  it('are dispelled by the user, and end the command otherwise, also where no user can be asked', async () => {
    const [yes, no, script] = [terminalOf(true), terminalOf(false), terminalOf()];
    await dispel([undefined, 'a doubt'], { isSure: false, terminal: yes.terminal });
    expect(yes.said).toEqual(['a doubt. Go on?']);
    for (const { terminal } of [no, script])
      await expect(dispel(['a doubt'], { isSure: false, terminal })).rejects.toThrow(
        'a doubt; nothing is signed. With --yes it is',
      );
    await dispel(['a doubt'], { isSure: true, terminal: script.terminal });
    expect(script.said).toEqual(['a doubt']);
    await dispel([undefined], { isSure: false, terminal: no.terminal });
  });
});
