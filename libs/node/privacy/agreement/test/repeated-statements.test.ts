import { describe, expect, it } from '@jest/globals';
import { KINDS } from '../src/exchange/exchange-parts.js';
import { SimulatedParties, nameOf, type SimulatedParty } from './simulated-parties.js';

describe('a statement that comes again, of a block on which both differ', () => {
  it('is answered once, with the details, and the answer is not', async () => {
    const network = new SimulatedParties(2);
    const [first, second] = network.parties as [SimulatedParty, SimulatedParty];
    for (const one of network.parties) await one.work();
    second.altered.add(nameOf(0));
    network.mine([[0, 1]]);
    await network.rest();
    const stated = first.sent.find(({ kind }) => kind === KINDS.statement);
    if (stated === undefined) throw new Error('nothing was stated');
    for (const one of network.parties) one.sent = [];
    second.inbox.push({ ...stated, id: 'again' });
    await network.rest();
    expect(second.sent.map(({ kind }) => kind)).toEqual([
      KINDS.reply,
      KINDS.list,
      KINDS.outcome,
      KINDS.rules,
    ]);
    // The answer may mean that the other one lacks what belongs to it.
    expect(first.sent.map(({ kind }) => kind)).toEqual([KINDS.list, KINDS.outcome, KINDS.rules]);
  });
});
