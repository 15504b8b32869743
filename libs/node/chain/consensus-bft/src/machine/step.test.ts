import { describe, expect, it } from '@jest/globals';
import { OTHER_DIGEST } from '../../test/cast/cast.js';
import { MachineDriver } from '../../test/cast/machine-driver.js';
import {
  ACTIVE,
  PHASES,
  b,
  block,
  c,
  cast,
  changes,
  commits,
  inPhase,
  prepares,
  proposal,
  proposer,
  self,
} from '../../test/cast/phases.js';
import { validatorKey } from '../../test/simulator/validator-keys.js';

describe('a proposal of the round', () => {
  it('is checked, then prepared', () => {
    const machine = inPhase('awaiting').receive(proposal);
    expect(machine.types).toEqual(['validate']);
    expect(machine.validated(block).types).toEqual(['persist', 'stopTimer', 'startTimer', 'prepare']);
    expect(machine.sent('prepare')).toMatchObject([{ digest: block.hash, sender: self.address }]);
    expect(machine.state.phase).toBe('preprepared');
  });

  it.each(['idle', 'committed'] as const)('is ignored when %s', (phase) => {
    expect(inPhase(phase).receive(cast.proposal(proposer, 0, cast.block(proposer, 1))).effects).toEqual([]);
  });

  it('is ignored by an observer', () => {
    expect(inPhase('observing').receive(proposal).effects).toEqual([]);
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

  it('is refused from a validator other than the proposer, and with a block that is not the proposer’s own', () => {
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

  it('leaves the round to its timer when its block is not valid', () => {
    const machine = inPhase('validating').validated(block, 'invalid');
    expect(machine.reports).toEqual(['invalidProposal']);
    expect(machine.state.phase).toBe('validating');
    expect(machine.timer().sent('roundChange')).toMatchObject([{ round: 1 }]);
  });

  it('is checked again when its timestamp is reached', () => {
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

  it.each([
    ['no reason', []],
    ['the reasons of another round', changes(2)],
    ['fewer round changes than a quorum', changes(1).slice(1)],
  ])('with %s is not accepted by a validator already in that round', (_, roundChanges) => {
    const machine = inPhase('prepared').timer();
    machine.receive(cast.proposal(second, 1, later.block, { roundChanges }));
    expect(machine.reports).toEqual(['invalidMessage']);
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 1, proposal: undefined });
    expect(machine.receive(later).state.proposal?.hash).toBe(later.block.hash);
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
    expect(machine.types).toEqual(['persist', 'commit']);
    const certificate = { round: 0, block: { hash: block.hash } };
    expect(machine.find('persist')?.record).toMatchObject({ commit: block.hash, certificate });
    expect(machine.state.record.certificate?.prepares).toHaveLength(3);
  });

  it.each(['awaiting', 'validating'] as const)(
    'that come early count once the proposal is valid (%s)',
    (phase) => {
      const machine = inPhase(phase).receive(...prepares);
      expect(machine.effects).toEqual([]);
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

  it('far ahead, of non-validators and of the past leave no state', () => {
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
    expect(machine.types).toEqual(['stopTimer', 'stopTimer', 'commit']);
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
