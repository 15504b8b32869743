import { describe, expect, it } from '@jest/globals';
import { silentLogger, silentMetrics, type PtmKey } from '@tetrad/types';
import { generateKeyPair } from '../keys/key-pair.js';
import { KeyRing } from '../keys/key-ring.js';
import { KeyClaims } from './key-claims.js';
import { KeyConflicts } from './key-conflicts.js';
import type { KeyProof } from './key-prover.js';
import { PartyTable } from './party-table.js';
import { PeerUnreachableError } from './peer-client.js';
import { ProofBudget } from './proof-budget.js';

const KEY = generateKeyPair().publicKey;
const [OWNER, RELAY, PEER] = ['http://owner/', 'http://relay/', 'http://peer/'] as const;
const FROM = '192.0.2.7';

/**
 * A manager with one configured peer.
 * @param proofs - what is answered at each URL; nothing where it cannot be reached
 */
function manager(proofs: Record<string, KeyProof | undefined>, acceptsUnbound = true) {
  const ring = new KeyRing([generateKeyPair()]);
  const table = new PartyTable({ url: 'http://own/', keys: ring.keys, peers: [PEER] });
  const conflicts = new KeyConflicts({ logger: silentLogger, metrics: silentMetrics });
  const stored = new Map<PtmKey, { url: string; bound: boolean }>();
  const asked: string[] = [];
  const budget = new ProofBudget();
  const claims = new KeyClaims({
    ring,
    table,
    conflicts,
    budget,
    acceptsUnbound,
    logger: silentLogger,
    store: {
      save: async (key, { url, bound }) => void stored.set(key, { url, bound }),
      remove: async (key) => void stored.delete(key),
    },
    prover: {
      async prove(url) {
        asked.push(url);
        const proof = proofs[url];
        if (proof === undefined) throw new PeerUnreachableError(url);
        return proof;
      },
    },
  });
  const announce = async (url: string, keys = [KEY], from = FROM) => {
    const held = await claims.settle(url, keys, from);
    return held.length;
  };
  return { table, conflicts, announce, proofs, stored, asked, budget, claims };
}

type Manager = ReturnType<typeof manager>;
const heldAt = ({ table }: Manager) => table.find(KEY)?.url;

describe('a key that its owner proved with the URL', () => {
  it.each<[string, KeyProof]>([
    ['as a manager without bound proofs would', 'unbound'],
    ['with the proof that names the owner', 'elsewhere'],
  ])('does not go to who relays the proof, %s', async (_, relayed) => {
    const one = manager({ [OWNER]: 'bound', [RELAY]: relayed });
    await one.announce(OWNER);
    expect(await one.announce(RELAY)).toBe(0);
    expect(heldAt(one)).toBe(OWNER);
  });

  it('is not given up to a relay while its owner cannot be reached, nor after a restart', async () => {
    const one = manager({ [OWNER]: 'bound', [RELAY]: 'unbound' });
    await one.announce(OWNER);
    one.table.forget(OWNER);
    one.proofs[OWNER] = undefined;
    expect(await one.announce(RELAY)).toBe(0);
    expect(heldAt(one)).toBeUndefined();
    const again = manager(one.proofs);
    for (const [key, holder] of one.stored) again.table.setHolder(key, { ...holder, active: false });
    expect(await again.announce(RELAY)).toBe(0);
    expect(heldAt(again)).toBeUndefined();
    again.proofs[OWNER] = 'bound';
    expect(await again.announce(OWNER)).toBe(1);
    expect(heldAt(again)).toBe(OWNER);
  });

  it('comes back from a relay that was first', async () => {
    const one = manager({ [OWNER]: 'bound', [RELAY]: 'unbound' });
    expect(await one.announce(RELAY)).toBe(1);
    expect(await one.announce(OWNER)).toBe(1);
    expect(heldAt(one)).toBe(OWNER);
    expect(await one.announce(RELAY)).toBe(0);
  });

  it('stays although a configured peer relays the proof, and goes there once the owner does not prove it', async () => {
    const one = manager({ [OWNER]: 'bound', [PEER]: 'unbound' });
    await one.announce(OWNER);
    expect(await one.announce(PEER)).toBe(0);
    one.proofs[OWNER] = undefined;
    expect(await one.announce(PEER)).toBe(1);
    expect(heldAt(one)).toBe(PEER);
  });

  it('moves with its owner to another URL', async () => {
    const one = manager({ [OWNER]: 'bound', [RELAY]: 'bound' });
    await one.announce(OWNER);
    // Two managers with one private key: the first one keeps it.
    expect(await one.announce(RELAY)).toBe(0);
    one.proofs[OWNER] = 'elsewhere';
    expect(await one.announce(RELAY)).toBe(1);
    expect(one.stored.get(KEY)).toEqual({ url: RELAY, bound: true });
  });
});

describe('a key of a manager without bound proofs', () => {
  it('stays with it while it proves the key, and moves once it does not', async () => {
    const one = manager({ [OWNER]: 'unbound', [RELAY]: 'unbound' });
    await one.announce(OWNER);
    expect(await one.announce(RELAY)).toBe(0);
    expect(heldAt(one)).toBe(OWNER);
    // Asked at its URL also when it was forgotten, as it could not be reached.
    one.table.forget(OWNER);
    expect(await one.announce(RELAY)).toBe(0);
    expect(heldAt(one)).toBe(OWNER);
    one.proofs[OWNER] = undefined;
    expect(await one.announce(RELAY)).toBe(1);
    expect(heldAt(one)).toBe(RELAY);
  });

  it('goes to a configured peer, although another manager was first', async () => {
    const one = manager({ [PEER]: 'unbound', [RELAY]: 'unbound' });
    await one.announce(RELAY);
    expect(await one.announce(PEER)).toBe(1);
    expect(await one.announce(RELAY)).toBe(0);
    expect(heldAt(one)).toBe(PEER);
  });

  it('counts nowhere when only bound proofs are taken', async () => {
    const one = manager({ [OWNER]: 'unbound', [RELAY]: 'bound' }, false);
    expect(await one.announce(OWNER)).toBe(0);
    expect(await one.announce(RELAY)).toBe(1);
  });
});

it('a conflict is reported once, until it was not repeated for a while', async () => {
  const one = manager({ [OWNER]: 'bound', [RELAY]: 'unbound' });
  await one.announce(OWNER);
  expect(one.conflicts.warning).toBeUndefined();
  for (let count = 0; count < 3; count += 1) await one.announce(RELAY);
  expect(one.conflicts.warning).toBe(`${KEY} of ${OWNER} is claimed by ${RELAY}`);
  for (let count = 0; count <= 60; count += 1) one.conflicts.tick();
  expect(one.conflicts.warning).toBeUndefined();
});

describe('a key that was decided on meanwhile', () => {
  it('is not moved by a claim that was checked before', async () => {
    const one = manager({ [OWNER]: 'unbound', [RELAY]: 'unbound', [PEER]: 'bound' });
    await one.announce(OWNER);
    one.proofs[OWNER] = undefined;
    await Promise.all([one.announce(RELAY), one.announce(PEER)]);
    expect(heldAt(one)).toBe(PEER);
  });
});

describe('the keys that one host makes for itself', () => {
  /** Without private keys: making so many pairs takes long. */
  const keysOf = (page: number) =>
    Array.from({ length: 100 }, (_, index) => {
      const bytes = Buffer.alloc(32);
      bytes.writeUInt32BE(page * 100 + index + 1);
      return bytes.toString('base64') as PtmKey;
    });

  it('leave room for the keys of another host, and are not proved once that host has its share', async () => {
    const urls = Array.from({ length: 12 }, (_, page) => `${RELAY}${page}/`);
    const one = manager(Object.fromEntries([OWNER, ...urls].map((url) => [url, 'bound' as const])));
    const taken = [];
    for (const [page, url] of urls.entries()) {
      one.budget.refill();
      taken.push(await one.announce(url, keysOf(page)));
    }
    expect(taken).toEqual([...Array<number>(10).fill(100), 0, 0]);
    expect(one.asked).toHaveLength(1_002);
    expect(await one.announce(OWNER, [KEY], '192.0.2.8')).toBe(1);
    expect(heldAt(one)).toBe(OWNER);
  });
});

describe('what one announcement makes us ask', () => {
  const keys = Array.from({ length: 100 }, () => generateKeyPair().publicKey);

  it('ends with a few proofs that were not given', async () => {
    const one = manager({ [RELAY]: 'none' });
    expect(await one.announce(RELAY, keys)).toBe(0);
    expect(one.asked).toHaveLength(3);
  });

  it('is bounded over announcements, until the next interval', async () => {
    const one = manager({ [RELAY]: 'none' });
    const outcome = async () =>
      one.announce(RELAY, keys).then(
        () => 'taken',
        (error: { kind: string }) => error.kind,
      );
    const outcomes = [];
    for (let count = 0; count < 50; count += 1) outcomes.push(await outcome());
    expect(new Set(outcomes)).toEqual(new Set(['taken', 'unavailable']));
    expect(one.asked.length).toBeLessThanOrEqual(100);
    one.budget.refill();
    expect(await outcome()).toBe('taken');
  });

  it('costs nothing where the keys are proved already', async () => {
    const one = manager({ [OWNER]: 'bound' });
    await one.announce(OWNER, keys);
    for (let count = 0; count < 50; count += 1) expect(await one.announce(OWNER, keys)).toBe(keys.length);
    expect(one.asked).toHaveLength(keys.length);
  });
});
