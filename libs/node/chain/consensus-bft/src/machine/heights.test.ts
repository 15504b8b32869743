import { describe, expect, it } from '@jest/globals';
import { Cast, OTHER_DIGEST } from '../../test/cast/cast.js';
import { MachineDriver } from '../../test/cast/machine-driver.js';
import { validatorKey } from '../../test/simulator/validator-keys.js';

const cast = new Cast(4);
const proposer = cast.proposer(0);
const self = cast.proposer(3);
const others = cast.others(self);
const block = cast.block(proposer);
const proposal = cast.proposal(proposer, 0, block);
const prepares = others.map((key) => cast.prepare(key, 0, block.hash));

describe('a new head', () => {
  it('begins the next height with the round’s time counted from the end of the block period', () => {
    const machine = new MachineDriver(cast, self).head({}, cast.context.periodEndsMs - 300);
    expect(machine.find('startTimer')).toMatchObject({ height: 1, round: 0, delayMs: 1_300 });
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 0 });
  });

  it('waits longer for an empty block, until transactions are there', () => {
    const { periodEndsMs } = cast.context;
    const machine = new MachineDriver(cast, self).head({ idleEndsMs: periodEndsMs + 9_000 }, periodEndsMs);
    expect(machine.find('startTimer')?.delayMs).toBe(10_000);
    machine.on({ type: 'work', atMs: periodEndsMs + 50 });
    expect(machine.find('startTimer')?.delayMs).toBe(1_000);
    expect(machine.on({ type: 'work', atMs: periodEndsMs + 60 }).effects).toEqual([]);
  });

  it('is ignored when it is not above the one before', () => {
    const machine = MachineDriver.begin(cast, self).timer();
    expect(machine.head().effects).toEqual([]);
    expect(machine.state.round).toBe(1);
  });

  it('drops all state of the height before', () => {
    const machine = MachineDriver.begin(cast, self)
      .receive(proposal)
      .validated(block)
      .receive(...prepares);
    expect(machine.state.phase).toBe('prepared');
    machine.head({ height: 2, parentHash: block.hash });
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 0, proposal: undefined });
    expect(machine.state.prepares.size + machine.state.commits.size + machine.state.roundChanges.size).toBe(
      0,
    );
  });

  it('makes a node that is not a validator observe', () => {
    const machine = MachineDriver.begin(cast, self).head({ height: 2, validators: [proposer.address] });
    expect(machine.state.phase).toBe('observing');
    expect(machine.types).toEqual(['stopTimer', 'stopTimer']);
  });

  it('handles the messages that arrived too early', () => {
    const machine = new MachineDriver(cast, self).head({ height: 0 });
    machine.receive(proposal, ...prepares);
    expect(machine.effects).toEqual([]);
    machine.head();
    expect(machine.types).toContain('validate');
    expect(machine.validated(block).types).toContain('commit');
    expect(machine.state.future.size).toBe(0);
  });
});

describe('messages of later heights', () => {
  it('are kept for two heights, one per kind and validator', () => {
    const machine = new MachineDriver(cast, self).head({ height: 0 });
    for (let round = 0; round < 50; round++) machine.receive(cast.prepare(proposer, round, block.hash, 2));
    machine.receive(
      cast.prepare(proposer, 0, block.hash, 3),
      cast.prepare(validatorKey(70), 0, block.hash, 1),
    );
    expect([...machine.state.future.keys()]).toEqual([2]);
    expect(machine.state.future.get(2)?.size).toBe(1);
  });

  it('of more validators than can be faulty report once that this node is behind', () => {
    const machine = new MachineDriver(cast, self).head({ height: 0 });
    machine.receive(cast.prepare(proposer, 0, block.hash, 2));
    expect(machine.reports).toEqual([]);
    machine.receive(cast.prepare(others[1] ?? self, 0, block.hash, 2));
    expect(machine.reports).toEqual(['behind']);
    machine.receive(cast.prepare(others[2] ?? self, 0, block.hash, 2));
    expect(machine.reports).toEqual([]);
  });
});

describe('after a restart', () => {
  const committed = MachineDriver.begin(cast, self)
    .receive(proposal)
    .validated(block)
    .receive(...prepares);

  it('a committed validator sends its COMMIT again and has its certificate', () => {
    const { record } = committed.state;
    const machine = MachineDriver.begin(cast, self, record);
    expect(machine.state).toMatchObject({ phase: 'prepared', round: 0 });
    expect(machine.sent('commit')).toEqual(MachineDriver.begin(cast, self, record).sent('commit'));
    expect(machine.timer().sent('roundChange')).toMatchObject([
      { prepared: { round: 0, digest: block.hash } },
    ]);
  });

  it('a validator continues in the round it announced, with the same messages', () => {
    const before = MachineDriver.begin(cast, self).timer();
    const machine = MachineDriver.begin(cast, self, before.state.record);
    expect(machine.state.round).toBe(1);
    expect(machine.sent('roundChange')).toEqual(before.sent('roundChange'));
  });

  it('a validator prepares no other block of the round', () => {
    const before = MachineDriver.begin(cast, self).receive(proposal).validated(block);
    const machine = MachineDriver.begin(cast, self, before.state.record);
    machine.receive(cast.proposal(proposer, 0, cast.block(proposer, 1)));
    expect(machine.reports).toEqual(['equivocation']);
    machine.receive(proposal).validated(block);
    expect(machine.sent('prepare')).toEqual(before.sent('prepare'));
  });

  it('a proposer does not propose a second block in the round', () => {
    const before = MachineDriver.begin(cast, proposer).on({ type: 'candidate', height: 1, block });
    const machine = MachineDriver.begin(cast, proposer, before.state.record);
    expect(machine.types).not.toContain('requestCandidate');
    expect(machine.on({ type: 'candidate', height: 1, block: cast.block(proposer, 1) }).effects).toEqual([]);
  });

  it('a record of an earlier height binds nothing', () => {
    const { record } = committed.state;
    const machine = new MachineDriver(cast, self, record).head({ height: 2, parentHash: block.hash });
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 0 });
    expect(machine.effects.some(({ type }) => type === 'broadcast')).toBe(false);
  });
});

describe('a message under this validator’s own signature', () => {
  const own = (machine: MachineDriver) => machine.receive(cast.prepare(self, 0, block.hash));

  it('is an echo when it was sent from here', () => {
    const machine = MachineDriver.begin(cast, self).receive(proposal).validated(block);
    expect(own(machine).effects).toEqual([]);
    expect(machine.timer().receive(cast.prepare(self, 0, OTHER_DIGEST)).effects).toEqual([]);
  });

  it('is another node with the key when it was not, and this one pauses until the next height', () => {
    const machine = own(MachineDriver.begin(cast, self));
    expect(machine.reports).toEqual(['keyInUseElsewhere']);
    expect(machine.state.phase).toBe('observing');
    expect(machine.receive(proposal).validated(block).timer('retry').effects).toEqual([]);
    machine.head({ height: 2, parentHash: block.hash });
    expect(machine.state.phase).toBe('awaiting');
  });

  it('ends the pause after the time of a round, in one for which the other node has signed nothing', () => {
    const machine = own(MachineDriver.begin(cast, self));
    expect(machine.find('startTimer')).toMatchObject({ timer: 'round', delayMs: cast.height.timeoutMs(0) });
    // More of them do not prolong it.
    machine.receive(cast.roundChange(self, 5));
    expect(machine.types).toEqual([]);
    machine.timer();
    expect(machine.state).toMatchObject({ phase: 'awaiting', round: 6 });
    expect(machine.sent('roundChange')).toMatchObject([{ round: 6 }]);
    expect(machine.receive(cast.roundChange(self, 2)).state.phase).toBe('awaiting');
  });

  it('does not lead to a round that is far off', () => {
    const machine = own(MachineDriver.begin(cast, self)).receive(cast.roundChange(self, 4_000_000_000));
    expect(machine.timer().sent('roundChange')).toMatchObject([{ round: 1 }]);
  });

  it.each([
    ['proposal', cast.proposal(self, 3, cast.block(self))],
    ['commit', cast.commit(self, 0, block)],
    ['round change', cast.roundChange(self, 1)],
  ])('is also detected by a %s', (_, message) => {
    expect(MachineDriver.begin(cast, self).receive(message).reports).toEqual(['keyInUseElsewhere']);
  });
});

describe('IBFT seals', () => {
  const ibft = new Cast(4, 'ibft');
  const first = ibft.proposer(0);
  const me = ibft.proposer(3);
  const rest = ibft.others(me);
  const offered = ibft.block(first);
  const upTo = (phase: 'prepared' | 'decided') => {
    const machine = MachineDriver.begin(ibft, me)
      .receive(ibft.proposal(first, 0, offered))
      .validated(offered);
    machine.receive(...rest.map((key) => ibft.prepare(key, 0, offered.hash)));
    if (phase === 'decided') machine.receive(...rest.slice(1).map((key) => ibft.commit(key, 0, offered)));
    expect(machine.state.phase).toBe(phase);
    return machine;
  };

  it('are given only when a quorum has committed', () => {
    expect(upTo('prepared').sent('seal')).toEqual([]);
    const machine = upTo('decided');
    expect(machine.types).toEqual(['persist', 'seal']);
    expect(machine.find('persist')?.record.seal).toBe(offered.hash);
  });

  it('of a quorum make the block final, in any rounds', () => {
    const machine = upTo('decided').timer();
    machine.receive(ibft.seal(rest[0] ?? me, 0, offered), ibft.seal(rest[1] ?? me, 5, offered));
    expect(machine.find('commit')?.committed.block.hash).toBe(offered.hash);
    expect(machine.state.phase).toBe('committed');
  });

  it('that come before the decision count after it, unless they are bad', () => {
    const machine = upTo('prepared');
    machine.receive(ibft.seal(rest[0] ?? me, 0, offered), ibft.seal(rest[1] ?? me, 0, offered, me));
    machine.receive(...rest.slice(1).map((key) => ibft.commit(key, 0, offered)));
    expect(machine.state.phase).toBe('decided');
    expect(machine.state.seals.size).toBe(2);
    expect(machine.receive(ibft.seal(rest[1] ?? me, 0, offered)).state.phase).toBe('committed');
  });

  it('over two blocks by one validator are equivocation', () => {
    const machine = upTo('prepared').receive(ibft.seal(first, 0, offered));
    expect(machine.receive(ibft.seal(first, 0, ibft.block(first, 1))).reports).toEqual(['equivocation']);
  });

  it('are given again after a restart', () => {
    const before = upTo('decided');
    const machine = MachineDriver.begin(ibft, me, before.state.record);
    expect(machine.sent('seal')).toEqual(before.sent('seal'));
    expect(machine.state.decided?.hash).toBe(offered.hash);
  });

  it('are ignored on a QBFT chain', () => {
    const machine = MachineDriver.begin(cast, self).receive(cast.seal(proposer, 0, block));
    expect(machine.effects).toEqual([]);
    expect(machine.state.seals.size).toBe(0);
  });

  it('of COMMITs are not accepted', () => {
    const sealed = { ...ibft.commit(first, 0, offered), seal: new Uint8Array(65) };
    expect(upTo('prepared').receive(sealed).reports).toEqual(['badSeal']);
  });
});

describe.each(['qbft', 'ibft'] as const)('a lone validator (%s)', (format) => {
  const lone = new Cast(1, format);
  const only = lone.key(0);

  it('commits its own candidate at once, also when it was restarted before', () => {
    const machine = MachineDriver.begin(lone, only).on({
      type: 'candidate',
      height: 1,
      block: lone.block(only),
    });
    expect(machine.types).toContain('commit');
    expect(machine.state.phase).toBe('committed');
    const again = MachineDriver.begin(lone, only, machine.state.record);
    expect(again.state.phase).toBe('committed');
  });
});
