import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountLeafHash, multiplyGenerator } from '@tetrad/rollup-crypto';
import { CircuitError } from './circuit-cache.js';
import { buildLeafCircuit } from './leaf-circuit.js';
import { LEAVES_IN_PROOF, LeafProver, type LeafStatement, type OpenedLeaf } from './leaf-prover.js';
import { WitnessError } from './solve-witness.js';

const publicKey = multiplyGenerator(5n);
const jointKeyHash = 77n;
const blindingFactor = 0x1234567890abcdef1234567890abcdefn;

/** An account at so many moments, mostly with a consent where the rollup has any. */
function statementOf(count: number, hasConsents = true): LeafStatement {
  const leaves = Array.from({ length: count }, (_, index) => {
    const said = { balancesRoot: BigInt(1000 + index), nonce: index, redemptionIndex: 2 * index };
    const consent = hasConsents ? BigInt(index) : 0n;
    const leaf = accountLeafHash({
      id: 3,
      publicKey,
      jointKey: { hash: jointKeyHash },
      blindingFactor,
      ...said,
      ...(hasConsents ? { consent } : {}),
    });
    return { ...said, consent, leaf };
  });
  return { accountId: 3, publicKey, jointKeyHash, hasConsents, leaves };
}

let prover: LeafProver;
beforeAll(async () => {
  prover = await LeafProver.open();
});
afterAll(() => prover.close());

describe('a proof of leaves', () => {
  it.each([1, LEAVES_IN_PROOF])(
    'of %s is accepted for what they say, and for nothing else',
    async (count) => {
      const statement = statementOf(count);
      const proof = await prover.prove(statement, blindingFactor);
      expect(await prover.verify(statement, proof)).toBe(true);
      const last = statement.leaves.at(-1)!;
      const others: LeafStatement[] = [
        { ...statement, accountId: 4 },
        { ...statement, publicKey: multiplyGenerator(6n) },
        { ...statement, jointKeyHash: 78n },
        { ...statement, hasConsents: false },
        ...(['balancesRoot', 'consent', 'leaf'] as const).map((name) => ({
          ...statement,
          leaves: [...statement.leaves.slice(0, -1), { ...last, [name]: last[name] + 1n }],
        })),
        ...(['nonce', 'redemptionIndex'] as const).map((name) => ({
          ...statement,
          leaves: [...statement.leaves.slice(0, -1), { ...last, [name]: last[name] + 1 }],
        })),
      ];
      for (const other of others) expect(await prover.verify(other, proof)).toBe(false);
      const changed = Uint8Array.from(proof);
      changed[40] = (changed[40] as number) ^ 1;
      expect(await prover.verify(statement, changed).catch(() => false)).toBe(false);
      for (const bytes of [new Uint8Array(0), proof.subarray(1), new Uint8Array(2 ** 17)])
        expect(await prover.verify(statement, bytes)).toBe(false);
      expect(await prover.verify(statement, new Uint8Array(proof.length)).catch(() => false)).toBe(false);
      // What made `bb` end did not take the prover with it.
      expect(await prover.verify(statement, proof)).toBe(true);
    },
  );

  it('in a rollup without consents opens leaves of eight words, and has no consent', async () => {
    const statement = statementOf(2, false);
    const proof = await prover.prove(statement, blindingFactor);
    expect(await prover.verify(statement, proof)).toBe(true);
    expect(await prover.verify({ ...statement, hasConsents: true }, proof)).toBe(false);
    const [first, second] = statement.leaves as [OpenedLeaf, OpenedLeaf];
    const consented = { ...statement, leaves: [first, { ...second, consent: 5n }] };
    await expect(prover.prove(consented, blindingFactor)).rejects.toThrow(WitnessError);
    expect(await prover.verify(consented, proof)).toBe(false);
    await expect(prover.prove({ ...statement, hasConsents: true }, blindingFactor)).rejects.toThrow(
      WitnessError,
    );
    await expect(prover.prove({ ...statementOf(2), hasConsents: false }, blindingFactor)).rejects.toThrow(
      WitnessError,
    );
  });

  it('is another one each time, since it hides the blinding factor by random values', async () => {
    const statement = statementOf(2);
    const [one, other] = [
      await prover.prove(statement, blindingFactor),
      await prover.prove(statement, blindingFactor),
    ];
    expect(Buffer.from(one).equals(other)).toBe(false);
  });

  it('is not made for leaves of two accounts, with another factor, or of none or too many', async () => {
    await expect(prover.prove(statementOf(3), blindingFactor + 1n)).rejects.toThrow(WitnessError);
    const { leaves, ...common } = statementOf(3);
    const mixed = { ...common, leaves: [...leaves.slice(1), { ...leaves[0]!, leaf: 5n }] };
    await expect(prover.prove(mixed, blindingFactor)).rejects.toThrow('a leaf is not what is said of it');
    for (const count of [0, LEAVES_IN_PROOF + 1])
      await expect(prover.prove(statementOf(count), blindingFactor)).rejects.toThrow(CircuitError);
  });
});

describe('the circuit of leaves', () => {
  it('is built once, and the points that ship are enough for it', async () => {
    expect(await buildLeafCircuit()).toBe(false);
    expect(prover.circuit.gates).toBeLessThanOrEqual(2 ** 14);
  });
});
