import { describe, expect, it } from '@jest/globals';
import { Cast, OTHER_DIGEST } from '../../test/cast/cast.js';
import { validatorKey } from '../../test/simulator/validator-keys.js';
import { isPreparedBy, isRoundChangeSound, justificationOf } from './justification.js';

/** Set sizes whose quorums are 3 to 10. */
const SIZES = [4, 5, 7, 8, 10, 11, 13, 14];
const ROUND = 10;
const PREPARED = 5;

describe.each(SIZES)('with %i validators', (size) => {
  const cast = new Cast(size);
  const { height } = cast;
  const proposer = cast.proposer(ROUND);
  const block = cast.block(proposer);
  const certificate = cast.certificate(block, PREPARED);
  const quorum = cast.keys.slice(0, height.quorum);
  const unprepared = quorum.map((key) => cast.roundChange(key, ROUND));
  const check = (reasons: Parameters<Cast['proposal']>[3]) =>
    justificationOf(height, cast.proposal(proposer, ROUND, block, reasons));

  // Scenario I29 of the reference.
  it('a proposal is justified by a quorum of unprepared round changes', () => {
    expect(check({ roundChanges: unprepared })).toBe('fresh');
  });

  it('a proposal is justified by prepares of the newest round that is reported', () => {
    for (let prepared = 1; prepared <= height.quorum; prepared++) {
      const roundChanges = quorum.map((key, index) => {
        if (index < prepared) return cast.roundChange(key, ROUND, certificate);
        const older = cast.certificate(cast.block(proposer, 1), PREPARED - 1);
        return cast.roundChange(key, ROUND, index % 2 === 0 ? older : undefined);
      });
      expect(check({ roundChanges, prepares: certificate.prepares })).toBe('prepared');
    }
  });

  // Scenario I30 of the reference.
  it('a proposal is not justified by fewer round changes than a quorum', () => {
    const prepared = quorum.map((key) => cast.roundChange(key, ROUND, certificate));
    for (let count = 0; count < height.quorum; count++) {
      expect(check({ roundChanges: unprepared.slice(0, count) })).toBeUndefined();
      const roundChanges = prepared.slice(0, count);
      expect(check({ roundChanges, prepares: certificate.prepares })).toBeUndefined();
    }
  });

  it('a proposal is not justified by fewer prepares than a quorum, also when others pad them', () => {
    const roundChanges = quorum.map((key) => cast.roundChange(key, ROUND, certificate));
    for (let count = 0; count < height.quorum; count++) {
      const short = certificate.prepares.slice(0, count);
      expect(check({ roundChanges, prepares: short })).toBeUndefined();
      const padding = quorum.slice(count).map((key) => cast.prepare(key, PREPARED - 1, block.hash));
      expect(check({ roundChanges, prepares: [...short, ...padding] })).toBeUndefined();
      expect(check({ roundChanges, prepares: [...padding, ...short] })).toBeUndefined();
    }
  });

  it('a proposal is not justified by prepares of which one is of another round', () => {
    const roundChanges = quorum.map((key) => cast.roundChange(key, ROUND, certificate));
    const extra = cast.prepare(cast.key(size - 1), PREPARED + 1, block.hash);
    expect(check({ roundChanges, prepares: [...certificate.prepares, extra] })).toBeUndefined();
  });
});

describe('invalid justifications', () => {
  const cast = new Cast(4);
  const { height } = cast;
  const [a, b, c] = [cast.key(0), cast.key(1), cast.key(2)];
  const proposer = cast.proposer(2);
  const block = cast.block(proposer);
  const certificate = cast.certificate(block, 1);
  const prepared = { round: 1, digest: block.hash };
  const stranger = validatorKey(99);
  const prepares = (...keys: (typeof a)[]) => keys.map((key) => cast.prepare(key, 1, block.hash));

  it.each([
    ['a validator twice', prepares(a, b, b)],
    ['a stranger', prepares(a, b, stranger)],
    ['another block', [...prepares(a, b), cast.prepare(c, 1, OTHER_DIGEST)]],
    ['another height', [...prepares(a, b), cast.prepare(c, 1, block.hash, 2)]],
    [
      'a broken signature',
      [...prepares(a, b), { ...cast.prepare(c, 1, block.hash), signature: new Uint8Array(65) }],
    ],
  ])('%s in a certificate', (_, list) => {
    expect(isPreparedBy(height, list, prepared)).toBe(false);
  });

  it('a certificate of a quorum does count', () => {
    expect(isPreparedBy(height, prepares(a, b, c), prepared)).toBe(true);
  });

  it('round changes of another round, of strangers or counted twice', () => {
    const check = (...roundChanges: ReturnType<Cast['roundChange']>[]) =>
      justificationOf(height, cast.proposal(proposer, 2, block, { roundChanges }));
    const change = (key: typeof a, round = 2) => cast.roundChange(key, round);
    expect(check(change(a), change(b), change(c))).toBe('fresh');
    expect(check(change(a), change(b), change(c, 3))).toBeUndefined();
    expect(check(change(a), change(b), change(b))).toBeUndefined();
    expect(check(change(a), change(b), change(stranger))).toBeUndefined();
  });

  it('a prepared block when a newer one is reported by what makes the quorum', () => {
    const newer = cast.certificate(cast.block(proposer, 3), 1);
    const older = cast.certificate(block, 0);
    const roundChanges = [
      cast.roundChange(a, 2, older),
      cast.roundChange(b, 2, older),
      cast.roundChange(c, 2, newer),
    ];
    const proposal = cast.proposal(proposer, 2, block, { roundChanges, prepares: older.prepares });
    expect(justificationOf(height, proposal)).toBeUndefined();
  });

  it('a fresh block while a quorum is not free to take one', () => {
    const roundChanges = [a, b, c].map((key, index) =>
      cast.roundChange(key, 2, index === 0 ? certificate : undefined),
    );
    expect(justificationOf(height, cast.proposal(proposer, 2, block, { roundChanges }))).toBeUndefined();
  });

  it('a justification of a proposal of round 0, which needs none', () => {
    const first = cast.proposer(0);
    expect(justificationOf(height, cast.proposal(first, 0, block))).toBe('fresh');
    const roundChanges = [cast.roundChange(a, 0)];
    expect(justificationOf(height, cast.proposal(first, 0, block, { roundChanges }))).toBeUndefined();
  });

  it('a round change that claims more than it proves', () => {
    const sound = cast.roundChange(a, 2, certificate);
    expect(isRoundChangeSound(height, sound)).toBe(true);
    expect(isRoundChangeSound(height, cast.roundChange(a, 2))).toBe(true);
    const { kind, sender, round, prepared, signature, prepares } = sound;
    const withoutBlock = { kind, sender, height: 1, round, signature, prepares };
    expect(isRoundChangeSound(height, { ...withoutBlock, ...(prepared && { prepared }) })).toBe(false);
    expect(isRoundChangeSound(height, { ...sound, prepares: sound.prepares.slice(1) })).toBe(false);
    expect(isRoundChangeSound(height, { ...sound, block: cast.block(a, 9) })).toBe(false);
    expect(isRoundChangeSound(height, { ...cast.roundChange(a, 2), prepares: sound.prepares })).toBe(false);
    expect(isRoundChangeSound(height, cast.roundChange(a, 1, certificate))).toBe(false);
    expect(isRoundChangeSound(height, cast.roundChange(a, 0))).toBe(false);
  });
});
