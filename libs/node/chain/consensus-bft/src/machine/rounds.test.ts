import { describe, expect, it } from '@jest/globals';
import { parseHash } from '@tetrad/types';
import { Cast, OTHER_DIGEST } from '../../test/cast/cast.js';
import { MachineDriver } from '../../test/cast/machine-driver.js';
import {
  ACTIVE,
  PHASES,
  b,
  block,
  c,
  cast,
  changes,
  inPhase,
  proposal,
  proposer,
  self,
} from '../../test/cast/phases.js';
import type { ValidatorKey } from '../../test/simulator/validator-keys.js';

describe('round changes', () => {
  it('of F+1 validators in later rounds move this one to the lowest of their rounds', () => {
    const machine = inPhase('awaiting').receive(cast.roundChange(b, 7));
    expect(machine.state.round).toBe(0);
    machine.receive(cast.roundChange(c, 5));
    expect(machine.state.round).toBe(5);
    expect(machine.sent('roundChange')).toMatchObject([{ round: 5 }]);
    expect(machine.find('persist')?.record).toMatchObject({ round: 5, roundChange: true });
  });

  it('of a quorum make the proposer of the round build a block and propose it with them', () => {
    // The second of them takes this node along, whose own makes the quorum.
    const machine = inPhase('awaiting').receive(...changes(3).slice(0, 2));
    expect(machine.types).toEqual(['persist', 'stopTimer', 'startTimer', 'roundChange', 'requestCandidate']);
    expect(machine.state.candidateRequested).toBe(true);
    const own = cast.block(self);
    machine.on({ type: 'candidate', height: 1, block: own });
    expect(machine.sent('proposal')).toMatchObject([{ round: 3, block: { hash: own.hash }, prepares: [] }]);
    expect(machine.sent('proposal')[0]?.roundChanges.length).toBeGreaterThanOrEqual(3);
    expect(machine.sent('prepare')).toHaveLength(1);
    expect(machine.find('persist')?.record).toMatchObject({ proposal: own.hash, prepare: own.hash });
  });

  it('with certificates make the proposer propose the newest prepared block', () => {
    const old = cast.certificate(cast.block(proposer, 1), 0);
    const newest = cast.certificate(cast.block(proposer, 2), 1);
    const machine = inPhase('awaiting');
    machine.receive(cast.roundChange(proposer, 3, old), cast.roundChange(b, 3, newest));
    expect(machine.sent('proposal')).toMatchObject([{ round: 3, block: { hash: newest.block.hash } }]);
    expect(machine.sent('proposal')[0]?.prepares).toEqual(newest.prepares);
    expect(machine.state.proposal?.hash).toBe(newest.block.hash);
    expect(machine.state.phase).toBe('validating');
  });

  it('report the certificate of this node', () => {
    const machine = inPhase('prepared').timer();
    expect(machine.types).toEqual(['persist', 'stopTimer', 'startTimer', 'roundChange']);
    const [sent] = machine.sent('roundChange');
    expect(sent).toMatchObject({
      round: 1,
      prepared: { round: 0, digest: block.hash },
      block: { hash: block.hash },
    });
    expect(sent?.prepares).toHaveLength(3);
  });

  it('of a straggler are answered with the round change of this node', () => {
    const machine = inPhase('awaiting').receive(...changes(2).slice(0, 2), cast.roundChange(c, 1));
    expect(machine.find('send')).toMatchObject({ to: c.address, message: { kind: 'roundChange', round: 2 } });
  });

  it('that are repeated have no effect', () => {
    const machine = inPhase('awaiting').receive(cast.roundChange(b, 1), cast.roundChange(b, 1));
    expect(machine.effects).toEqual([]);
  });

  it('that prove nothing, or differ the second time, are reported', () => {
    const certificate = cast.certificate(block, 0);
    const unsound = { ...cast.roundChange(b, 1, certificate), prepares: [] };
    expect(inPhase('awaiting').receive(unsound).reports).toEqual(['invalidMessage']);
    const twice = inPhase('awaiting').receive(cast.roundChange(b, 1), cast.roundChange(b, 1, certificate));
    expect(twice.reports).toEqual(['equivocation']);
  });

  it.each(['idle', 'committed'] as const)('are ignored when %s', (phase) => {
    expect(inPhase(phase).receive(...changes(4)).effects).toEqual([]);
  });
});

describe('the round’s timer', () => {
  it.each(ACTIVE)('starts the next round while %s', (phase) => {
    const machine = inPhase(phase).timer();
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 1, proposal: undefined });
    expect(machine.sent('roundChange')).toMatchObject([{ round: 1 }]);
    expect(machine.find('startTimer')).toMatchObject({ timer: 'round', round: 1, delayMs: 2_000 });
  });

  it.each(['idle', 'observing', 'committed'] as const)('does nothing when %s', (phase) => {
    expect(inPhase(phase).timer().effects).toEqual([]);
  });

  it('of an earlier round or height does nothing', () => {
    const machine = inPhase('awaiting').timer();
    expect(machine.timer('round', 0).effects).toEqual([]);
    expect(machine.on({ type: 'timer', timer: 'round', height: 2, round: 1 }).effects).toEqual([]);
  });
});

describe('a round above 0', () => {
  const secondProposer = cast.proposer(1);
  const second = cast.proposal(secondProposer, 1, cast.block(secondProposer), { roundChanges: changes(1) });

  it('is not left alone: when its time is over it is announced again, with the same message', () => {
    const machine = inPhase('awaiting').timer();
    const [announced] = machine.sent('roundChange');
    machine.receive(cast.roundChange(b, 1)).timer();
    expect(machine.state).toMatchObject({ round: 1, lapses: 2 });
    expect(machine.sent('roundChange')).toEqual([announced]);
    expect(machine.find('startTimer')).toMatchObject({ timer: 'round', round: 1, delayMs: 2_000 });
  });

  it('is left when a quorum has announced it or a later one', () => {
    const machine = inPhase('awaiting').timer();
    machine.receive(cast.roundChange(b, 1), cast.roundChange(c, 6)).timer();
    expect(machine.state.round).toBe(2);
    expect(machine.sent('roundChange')).toMatchObject([{ round: 2 }]);
  });

  it('begins to count its time when a quorum has announced it, once', () => {
    const machine = inPhase('awaiting').timer().receive(cast.roundChange(b, 1));
    expect(machine.effects).toEqual([]);
    machine.receive(cast.roundChange(c, 1));
    expect(machine.types).toEqual(['startTimer']);
    expect(machine.receive(cast.roundChange(proposer, 1)).effects).toEqual([]);
  });

  it('is left after a justified proposal, and after one prepared before a restart', () => {
    const machine = inPhase('awaiting').receive(second);
    expect(machine.state).toMatchObject({ round: 1, phase: 'validating' });
    expect(machine.timer().state.round).toBe(2);
    const prepared = inPhase('awaiting').receive(second).validated(second.block);
    const restarted = MachineDriver.begin(cast, self, prepared.state.record);
    expect(restarted.state).toMatchObject({ round: 1, phase: 'awaiting' });
    expect(restarted.timer().state.round).toBe(2);
  });
});

describe('a candidate of our own', () => {
  const own = cast.block(proposer);

  it('is built at the head by the first proposer, and proposed and prepared at once', () => {
    const machine = MachineDriver.begin(cast, proposer);
    expect(machine.types).toContain('requestCandidate');
    machine.on({ type: 'candidate', height: 1, block: own });
    expect(machine.types).toEqual(['persist', 'proposal', 'stopTimer', 'startTimer', 'prepare']);
    expect(machine.state.phase).toBe('preprepared');
  });

  it('is not built by other validators', () => {
    expect(inPhase('awaiting').types).not.toContain('requestCandidate');
  });

  it('may fail, and is built again at the next own turn', () => {
    const machine = MachineDriver.begin(cast, proposer).on({ type: 'candidate', height: 1 });
    expect(machine.effects).toEqual([]);
    machine.receive(...cast.others(proposer).map((key) => cast.roundChange(key, 4)));
    expect(machine.state).toMatchObject({ round: 4, candidateRequested: true });
  });

  it('of another height or author is not accepted', () => {
    const machine = MachineDriver.begin(cast, proposer);
    expect(machine.on({ type: 'candidate', height: 2, block: own }).effects).toEqual([]);
    expect(machine.on({ type: 'candidate', height: 1, block: cast.block(b) }).effects).toEqual([]);
  });
});

describe('a block that the chain could not take', () => {
  it('leads to the next round with its certificate', () => {
    const machine = inPhase('committed').on({ type: 'insertionFailed', height: 1 });
    expect(machine.sent('roundChange')).toMatchObject([{ round: 1, prepared: { digest: block.hash } }]);
  });

  it.each(PHASES.filter((phase) => phase !== 'committed'))('means nothing while %s', (phase) => {
    expect(inPhase(phase).on({ type: 'insertionFailed', height: 1 }).effects).toEqual([]);
  });
});

describe('messages of a validator whose key another process has', () => {
  const [x, y] = [OTHER_DIGEST, parseHash(`0x${'66'.repeat(32)}`)];
  const foreign = [x, y, parseHash(`0x${'55'.repeat(32)}`), parseHash(`0x${'44'.repeat(32)}`)];

  it('do not take the place of its vote for the proposal', () => {
    const machine = MachineDriver.begin(cast, self);
    for (const digest of foreign) machine.receive(cast.prepare(b, 0, digest));
    machine.receive(proposal).validated(block);
    machine.receive(cast.prepare(b, 0, block.hash), cast.prepare(proposer, 0, block.hash));
    expect(machine.state.phase).toBe('prepared');
  });

  it('do not count twice for one block', () => {
    const machine = MachineDriver.begin(cast, self).receive(proposal).validated(block);
    const vote = cast.prepare(b, 0, block.hash);
    machine.receive(cast.prepare(b, 0, x), vote, vote, cast.prepare(b, 0, y));
    expect(machine.state.phase).toBe('preprepared');
  });

  it('of a far round do not keep its own from counting in the round of the others', () => {
    const machine = MachineDriver.begin(cast, cast.proposer(1));
    const [one, two] = cast.others(cast.proposer(1)) as [ValidatorKey, ValidatorKey];
    machine.receive(cast.roundChange(one, 50)).timer();
    expect(machine.state.round).toBe(1);
    machine.receive(cast.roundChange(two, 1));
    expect(machine.find('requestCandidate')).toBeUndefined();
    machine.receive(cast.roundChange(one, 1));
    expect(machine.find('requestCandidate')).toBeDefined();
  });

  it.each([2, 3])('cannot use up the rounds of a height at once, of %i validators', (size) => {
    const few = new Cast(size);
    const machine = MachineDriver.begin(few, few.key(0));
    machine.receive(few.roundChange(few.key(1), 0xffff_ffff));
    expect(machine.state.round).toBe(2_048);
    // A validator that is really behind gets to the others step by step.
    machine.timer();
    expect(machine.state.round).toBe(4_096);
  });
});
