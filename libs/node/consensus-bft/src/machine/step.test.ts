import { describe, expect, it } from '@jest/globals';
import { Cast, OTHER_DIGEST } from '../../test/cast/cast.js';
import { MachineDriver } from '../../test/cast/machine-driver.js';
import { validatorKey } from '../../test/simulator/validator-keys.js';
import type { Phase } from './state.js';

const cast = new Cast(4);
const proposer = cast.proposer(0);
/** Proposes in no round below 3. */
const self = cast.proposer(3);
const [b, c] = cast.others(self).filter((key) => key !== proposer) as [typeof self, typeof self];
const block = cast.block(proposer);
const proposal = cast.proposal(proposer, 0, block);
const prepares = [proposer, b].map((key) => cast.prepare(key, 0, block.hash));
const commits = [proposer, b].map((key) => cast.commit(key, 0, block));
const changes = (round: number) => cast.others(self).map((key) => cast.roundChange(key, round));

/** A machine of `self` in the phase. */
function inPhase(phase: Exclude<Phase, 'decided'>): MachineDriver {
  if (phase === 'idle') return new MachineDriver(cast, self);
  if (phase === 'observing') return MachineDriver.begin(cast, validatorKey(50));
  const machine = MachineDriver.begin(cast, self);
  if (phase !== 'awaiting') machine.receive(proposal);
  if (phase !== 'awaiting' && phase !== 'validating') machine.validated(block);
  if (phase === 'prepared' || phase === 'committed') machine.receive(...prepares);
  if (phase === 'committed') machine.receive(...commits);
  expect(machine.state.phase).toBe(phase);
  return machine;
}

const PHASES = [
  'idle',
  'observing',
  'awaiting',
  'validating',
  'preprepared',
  'prepared',
  'committed',
] as const;
const ACTIVE = ['awaiting', 'validating', 'preprepared', 'prepared'] as const;

describe('a proposal of the round', () => {
  it('is checked, then prepared', () => {
    const machine = inPhase('awaiting').receive(proposal);
    expect(machine.types).toEqual(['relay', 'validate']);
    expect(machine.validated(block).types).toEqual(['persist', 'stopTimer', 'startTimer', 'prepare']);
    expect(machine.sent('prepare')).toMatchObject([{ digest: block.hash, sender: self.address }]);
    expect(machine.state.phase).toBe('preprepared');
  });

  it.each(['idle', 'committed'] as const)('is ignored when %s', (phase) => {
    expect(inPhase(phase).receive(cast.proposal(proposer, 0, cast.block(proposer, 1))).effects).toEqual([]);
  });

  it('is passed on by who observes', () => {
    expect(inPhase('observing').receive(proposal).types).toEqual(['relay']);
  });

  it.each(['validating', 'preprepared', 'prepared'] as const)(
    'is equivocation when it is another while %s',
    (phase) => {
      const machine = inPhase(phase);
      expect(machine.receive(proposal).effects).toEqual([]);
      expect(machine.receive(cast.proposal(proposer, 0, cast.block(proposer, 1))).reports).toEqual([
        'equivocation',
      ]);
      expect(machine.receive(cast.proposal(proposer, 0, cast.block(proposer, 2))).reports).toEqual([]);
      expect(machine.state).toMatchObject({ phase, proposal: { hash: block.hash } });
    },
  );

  it('is refused from anybody but the proposer, and of anybody’s block but its own', () => {
    expect(inPhase('awaiting').receive(cast.proposal(b, 0, cast.block(b))).reports).toEqual([
      'invalidMessage',
    ]);
    const foreign = cast.proposal(proposer, 0, cast.block(b));
    expect(inPhase('awaiting').receive(foreign).reports).toEqual(['invalidMessage']);
  });

  it('is refused when its block is not on top of the head', () => {
    const machine = new MachineDriver(cast, self).head({ parentHash: OTHER_DIGEST });
    expect(machine.receive(proposal).reports).toEqual(['invalidMessage']);
  });

  it('is waited out by the round’s timer when its block is not valid', () => {
    const machine = inPhase('validating').validated(block, 'invalid');
    expect(machine.reports).toEqual(['invalidProposal']);
    expect(machine.state.phase).toBe('validating');
    expect(machine.timer().sent('roundChange')).toMatchObject([{ round: 1 }]);
  });

  it('is checked again when its time has come', () => {
    const machine = inPhase('validating').validated(block, { retryAfterMs: 400 });
    expect(machine.find('startTimer')).toMatchObject({ timer: 'retry', delayMs: 400 });
    expect(machine.timer('retry').types).toEqual(['validate']);
  });
});

describe('a proposal of a later round', () => {
  const second = cast.proposer(1);
  const later = cast.proposal(second, 1, cast.block(second), { roundChanges: changes(1) });

  it.each(ACTIVE)('that is justified takes a node along that is %s', (phase) => {
    const machine = inPhase(phase).receive(later);
    expect(machine.state).toMatchObject({
      phase: 'validating',
      round: 1,
      proposal: { hash: later.block.hash },
    });
    expect(machine.sent('roundChange')).toEqual([]);
  });

  it.each(ACTIVE)('without justification changes nothing while %s', (phase) => {
    const machine = inPhase(phase).receive(cast.proposal(second, 1, later.block));
    expect(machine.reports).toEqual(['invalidMessage']);
    expect(machine.state).toMatchObject({ phase, round: 0 });
  });

  it.each(['idle', 'committed'] as const)('is ignored when %s', (phase) => {
    expect(inPhase(phase).receive(later).effects).toEqual([]);
  });

  it('of the past is ignored', () => {
    expect(inPhase('awaiting').timer().receive(proposal).effects).toEqual([]);
  });
});

describe('PREPAREs', () => {
  it('of a quorum are answered with a COMMIT, after the certificate is stored', () => {
    const machine = inPhase('preprepared').receive(...prepares);
    expect(machine.types).toEqual(['persist', 'relay', 'commit']);
    const certificate = { round: 0, block: { hash: block.hash } };
    expect(machine.find('persist')?.record).toMatchObject({ commit: block.hash, certificate });
    expect(machine.state.record.certificate?.prepares).toHaveLength(3);
  });

  it.each(['awaiting', 'validating'] as const)(
    'that come early count once the proposal is valid (%s)',
    (phase) => {
      const machine = inPhase(phase).receive(...prepares);
      expect(machine.types).toEqual(['relay']);
      if (phase === 'awaiting') machine.receive(proposal);
      expect(machine.validated(block).types).toContain('commit');
      expect(machine.state.phase).toBe('prepared');
    },
  );

  it('count by sender, block and round', () => {
    const machine = inPhase('preprepared');
    machine.receive(cast.prepare(b, 0, block.hash), cast.prepare(b, 0, block.hash));
    machine.receive(cast.prepare(c, 0, OTHER_DIGEST), cast.prepare(proposer, 1, block.hash));
    expect(machine.state.phase).toBe('preprepared');
  });

  it('of two blocks by one validator are equivocation; the first counts', () => {
    const machine = inPhase('preprepared').receive(cast.prepare(b, 0, block.hash));
    expect(machine.receive(cast.prepare(b, 0, OTHER_DIGEST)).reports).toEqual(['equivocation']);
    expect(machine.receive(cast.prepare(c, 0, block.hash)).types).toContain('commit');
  });

  it('far ahead, of strangers and of the past leave nothing behind', () => {
    const machine = inPhase('awaiting');
    const { state } = machine;
    machine.receive(cast.prepare(b, 17, block.hash), cast.prepare(validatorKey(50), 0, block.hash));
    machine.receive(cast.prepare(b, 0, block.hash, 0));
    expect(machine.state).toEqual(state);
    expect(machine.effects).toEqual([]);
  });
});

describe('COMMITs', () => {
  it.each(['preprepared', 'prepared'] as const)('of a quorum end the height (%s)', (phase) => {
    const machine = inPhase(phase).receive(...commits, cast.commit(c, 0, block));
    expect(machine.state.phase).toBe('committed');
  });

  it('come with their seals into the header, in the order of their senders', () => {
    const machine = inPhase('prepared').receive(...commits);
    const committed = machine.find('commit')?.committed;
    expect(machine.types).toEqual(['relay', 'stopTimer', 'stopTimer', 'commit']);
    expect(committed).toMatchObject({ round: 0, block: { hash: block.hash } });
  });

  it.each(['awaiting', 'validating'] as const)(
    'that come early count once the proposal is valid (%s)',
    (phase) => {
      const machine = inPhase(phase).receive(...commits, cast.commit(c, 0, block));
      if (phase === 'awaiting') machine.receive(proposal);
      machine.validated(block);
      expect(machine.state.phase).toBe('committed');
    },
  );

  it('with a bad seal do not count, whether they come early or late', () => {
    const bad = cast.commit(b, 0, block, c);
    const late = inPhase('prepared').receive(bad);
    expect(late.reports).toEqual(['badSeal']);
    expect(late.receive(cast.commit(proposer, 0, block)).state.phase).toBe('prepared');
    expect(late.receive(cast.commit(b, 0, block)).state.phase).toBe('committed');
    const early = inPhase('awaiting')
      .receive(bad, cast.commit(proposer, 0, block), proposal)
      .validated(block);
    expect(early.reports).toEqual(['badSeal']);
    expect(early.receive(...prepares).state.phase).toBe('prepared');
  });

  it('of another block and twice by one validator do not count', () => {
    const machine = inPhase('prepared');
    machine.receive(
      cast.commit(b, 0, cast.block(proposer, 1)),
      cast.commit(c, 0, block),
      cast.commit(c, 0, block),
    );
    expect(machine.state.phase).toBe('prepared');
  });
});

describe('round changes', () => {
  it('of F+1 above take along to the lowest of their rounds', () => {
    const machine = inPhase('awaiting').receive(cast.roundChange(b, 7));
    expect(machine.state.round).toBe(0);
    machine.receive(cast.roundChange(c, 5));
    expect(machine.state.round).toBe(5);
    expect(machine.sent('roundChange')).toMatchObject([{ round: 5 }]);
    expect(machine.find('persist')?.record).toMatchObject({ round: 5, roundChange: true });
  });

  it('of a quorum make the proposer of the round ask for a block and propose it with them', () => {
    // The second of them takes this node along, whose own makes the quorum.
    const machine = inPhase('awaiting').receive(...changes(3).slice(0, 2));
    expect(machine.types).toEqual([
      'persist',
      'relay',
      'stopTimer',
      'startTimer',
      'roundChange',
      'requestCandidate',
    ]);
    expect(machine.state.candidateRequested).toBe(true);
    const own = cast.block(self);
    machine.on({ type: 'candidate', height: 1, block: own });
    expect(machine.sent('proposal')).toMatchObject([{ round: 3, block: { hash: own.hash }, prepares: [] }]);
    expect(machine.sent('proposal')[0]?.roundChanges.length).toBeGreaterThanOrEqual(3);
    expect(machine.sent('prepare')).toHaveLength(1);
    expect(machine.find('persist')?.record).toMatchObject({ proposal: own.hash, prepare: own.hash });
  });

  it('with certificates make the proposer offer the newest prepared block', () => {
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

  it('of a straggler are answered with where this node is', () => {
    const machine = inPhase('awaiting').timer().timer().receive(cast.roundChange(b, 1));
    expect(machine.find('send')).toMatchObject({ to: b.address, message: { kind: 'roundChange', round: 2 } });
  });

  it('that prove nothing, or are said differently the second time, are reported', () => {
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

describe('a candidate of our own', () => {
  const own = cast.block(proposer);

  it('is asked for at the head by who proposes first, proposed and prepared at once', () => {
    const machine = MachineDriver.begin(cast, proposer);
    expect(machine.types).toContain('requestCandidate');
    machine.on({ type: 'candidate', height: 1, block: own });
    expect(machine.types).toEqual(['persist', 'proposal', 'stopTimer', 'startTimer', 'prepare']);
    expect(machine.state.phase).toBe('preprepared');
  });

  it('is not asked for by the others', () => {
    expect(inPhase('awaiting').types).not.toContain('requestCandidate');
  });

  it('may fail, and is asked for again when it is our turn again', () => {
    const machine = MachineDriver.begin(cast, proposer).on({ type: 'candidate', height: 1 });
    expect(machine.effects).toEqual([]);
    machine.receive(...cast.others(proposer).map((key) => cast.roundChange(key, 4)));
    expect(machine.state).toMatchObject({ round: 4, candidateRequested: true });
  });

  it('of another height or author is not taken', () => {
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

describe('every event', () => {
  it.each(PHASES)('leaves the state it was given alone (%s)', (phase) => {
    const machine = inPhase(phase);
    const frozen = Object.freeze(machine.state);
    machine
      .receive(proposal, ...prepares, ...commits, ...changes(9))
      .timer()
      .validated(block);
    expect(frozen.phase).toBe(phase);
  });
});
