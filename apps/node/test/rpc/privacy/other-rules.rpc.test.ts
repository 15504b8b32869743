import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RECORDED_KEYS, startPrivacyNetwork } from '../../privacy-network.js';
import { A, B, MODULES, Parties, accounts, quiet, textOf } from './parties.js';

describe('parties of which one executes by other rules', () => {
  let all: Parties;
  beforeAll(async () => {
    const network = await startPrivacyNetwork({
      keys: RECORDED_KEYS.slice(0, 2),
      accounts: accounts.slice(0, 2),
      modules: MODULES,
      configOf: (index) => ({
        ...quiet(),
        istanbulBlock: undefined,
        // Without the shifts, which each call of a contract of Solidity uses.
        ...(index === 1 && { constantinopleBlock: undefined, petersburgBlock: undefined }),
      }),
    });
    all = new Parties(network, network.nodes);
  });
  afterAll(() => all?.network.stop());

  it('learn that a transaction has failed at one of them, and by which rules the other one says that it executes', async () => {
    const contract = await all.create([B]);
    const hash = await all.increment(contract, [B]);
    const at = { contract, hash, waitsForRules: true };
    const [atSender, atParty] = [
      await all.explained(0, { ...at, other: B }),
      await all.explained(1, { ...at, other: A }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    const first = {
      agreement: 'diverged',
      agreed: { blockNumber: expect.any(Number) },
      isWhole: true,
      rules: 'different',
    };
    const cause = (own: string, other: string) => [
      { kind: 'rules', at: 'other', isCertain: false, rules: [{ rule: 'fork', own, other }] },
    ];
    expect(atSender).toMatchObject({
      ...first,
      difference: { field: 'status', own: '1', other: '0' },
      causes: cause('petersburg', 'byzantium'),
    });
    expect(atParty).toMatchObject({
      ...first,
      difference: { field: 'status', own: '0', other: '1' },
      causes: cause('byzantium', 'petersburg'),
    });
    expect(await textOf(all.node(0), contract)).toContain(
      'cause: probably other rules: fork petersburg here, byzantium there; what is there is the word of the other party',
    );
  });
});
