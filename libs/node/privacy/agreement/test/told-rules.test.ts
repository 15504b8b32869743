import { beforeEach, describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import type { AgreementBlock } from '@tetrad/node-store';
import { KINDS } from '../src/exchange/exchange-parts.js';
import { differentRules, openRules, signRules } from '../src/statement/stated-rules.js';
import { withBlock } from '../src/statement/statement-details.js';
import { SimulatedParties, nameOf, type SimulatedParty } from './simulated-parties.js';

let network: SimulatedParties;
let first: SimulatedParty;
let second: SimulatedParty;

beforeEach(async () => {
  network = new SimulatedParties(2);
  [first, second] = network.parties as [SimulatedParty, SimulatedParty];
  for (const one of network.parties) await one.work();
  second.fork = 4;
});

/** A block of which the second party has another result. */
async function comeApart(): Promise<void> {
  second.altered.add(nameOf(network.transactions.length));
  network.mine([[0, 1]]);
  await network.rest();
}

const rowOf = (party: SimulatedParty): AgreementBlock => {
  const [row] = party.store.blocks.values();
  if (row === undefined) throw new Error('there is no row');
  return row;
};
const told = (party: SimulatedParty) => party.sent.filter(({ kind }) => kind === KINDS.rules);
const differences = (party: SimulatedParty) => {
  const { ownRules, otherRules } = rowOf(party);
  return differentRules(ownRules, otherRules);
};

describe('the rules of parties', () => {
  it('are sent once, where results differ', async () => {
    network.mine([[0, 1]]);
    await network.rest();
    expect([...told(first), ...told(second)]).toEqual([]);
    await comeApart();
    expect([told(first).length, told(second).length]).toEqual([1, 1]);
    expect(differences(first)).toEqual([{ rule: 1, own: 7, other: 4 }]);
    expect(differences(second)).toEqual([{ rule: 1, own: 4, other: 7 }]);
  });

  it('are what was said of the statement, also after the node was configured anew', async () => {
    await comeApart();
    second.fork = 7;
    second.restart(second.store);
    // The other party lacks what it was told.
    const asked = first.sent.find(({ kind }) => kind === KINDS.statement);
    if (asked !== undefined) second.inbox.push({ ...asked, id: 'again' });
    await network.rest();
    expect(differences(first)).toEqual([{ rule: 1, own: 7, other: 4 }]);
    const bodies = told(second).map(({ body }) => Buffer.from(body).toString('hex'));
    expect(bodies.length).toBeGreaterThan(1);
    expect(new Set(bodies).size).toBe(1);
  });

  it('are said anew with another statement', async () => {
    await comeApart();
    second.missing.add(nameOf(0));
    second.fork = 5;
    await second.compareSince(1);
    await network.rest();
    expect(differences(first)).toEqual([{ rule: 1, own: 7, other: 5 }]);
  });

  it('of a party of before are not known', async () => {
    const { send } = silence(second);
    await comeApart();
    expect(rowOf(first).state).toBe('diverged');
    expect(differences(first)).toBeUndefined();
    expect(send.dropped).toBe(1);
  });

  it.each([
    ['another key', 9, (hash: string) => hash],
    ['another statement', 2, () => `0x${'77'.repeat(32)}`],
  ])('are dropped where they are of %s', async (_, key, statementOf) => {
    silence(second);
    await comeApart();
    const row = rowOf(second);
    const own = row.ownRules && openRules(row.ownRules);
    if (own === undefined) throw new Error('the party has signed nothing');
    const statement = statementOf(own.statement) as typeof own.statement;
    const rules = await signRules({ ...own, statement }, signingKeyOf(Buffer.alloc(32, key)));
    const { own: from, other: to, block } = row;
    first.inbox.push({ id: 'x', from, to, kind: KINDS.rules, body: withBlock(block, rules) });
    await first.work();
    expect(differences(first)).toBeUndefined();
    const genuine = await signRules(own, signingKeyOf(Buffer.alloc(32, 2)));
    first.inbox.push({ id: 'y', from, to, kind: KINDS.rules, body: withBlock(block, genuine) });
    await first.work();
    expect(differences(first)).toEqual([{ rule: 1, own: 7, other: 4 }]);
    // A second word on the same statement does not replace the first.
    const later = await signRules({ ...own, rules: new Map([[1, 7]]) }, signingKeyOf(Buffer.alloc(32, 2)));
    first.inbox.push({ id: 'z', from, to, kind: KINDS.rules, body: withBlock(block, later) });
    await first.work();
    expect(differences(first)).toEqual([{ rule: 1, own: 7, other: 4 }]);
  });
});

/** Has a party's manager lose what it says of its rules. */
function silence(party: SimulatedParty): { readonly send: { dropped: number } } {
  const send = { dropped: 0 };
  party.loses = ({ kind }) => {
    const isLost = kind === KINDS.rules;
    send.dropped += Number(isLost);
    return isLost;
  };
  return { send };
}
