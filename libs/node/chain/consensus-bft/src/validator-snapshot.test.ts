import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT } from '@tetrad/node-block';
import { ZERO_ADDRESS, ZERO_HASH, type Address, type BlockHeader } from '@tetrad/types';
import { bftRules } from './bft-rules.js';
import { chooseVote } from './candidates.js';
import { ibftVoteFields, readHeaderVote } from './header-vote.js';
import { ISTANBUL_MIX_HASH } from './params.js';
import { encodeQbftExtraData } from './qbft-extra-data.js';
import { applyBlock, snapshotOf, tallyOf, type ValidatorSnapshot } from './validator-snapshot.js';

const addressOf = (name: string): Address =>
  addressFromPrivateKey(Buffer.alloc(32, (name.codePointAt(0) as number) - 64));
const nameOf = (address: Address): string =>
  [...'ABCDEFGH'].find((name) => addressOf(name) === address) ?? '?';
const EPOCH = 30_000;

/** Plays blocks that are written as texts: "A:+C" is a block by A that votes to add C, "A" one without vote. */
function play(set: string, blocks: string, epochLength = EPOCH): ValidatorSnapshot {
  let snapshot = snapshotOf(0, [...set].map(addressOf));
  for (const block of blocks.split(/,\s*/).filter(Boolean)) {
    const [author = '', vote] = block.split(':');
    snapshot = applyBlock(
      snapshot,
      {
        number: snapshot.number + 1,
        author: addressOf(author),
        vote:
          vote === undefined ? undefined : { recipient: addressOf(vote[1] ?? ''), isAdd: vote[0] === '+' },
      },
      epochLength,
    );
  }
  return snapshot;
}

const names = ({ validators }: ValidatorSnapshot) => validators.map(nameOf).sort().join('');

/** Leaves {A,B,C} with two of three votes against C, which were not counted again after the set shrank. */
const LATE = 'A:-C, B, C, A:-D, B:-C, C, A, B:-D, C:-D';

describe('a block without a vote, as GoQuorum reads it', () => {
  const zeroDrop = { recipient: ZERO_ADDRESS, isAdd: false };
  const block = (number: number, name: string, vote = zeroDrop) => ({
    number,
    author: addressOf(name),
    vote,
  });

  it('takes its author’s vote about the zero address back', () => {
    const add = { recipient: ZERO_ADDRESS, isAdd: true };
    const voted = applyBlock(snapshotOf(0, ['A', 'B', 'C'].map(addressOf)), block(1, 'A', add), EPOCH);
    expect(tallyOf(voted).get(ZERO_ADDRESS)).toEqual({ isAdd: true, votes: 1 });
    const other = applyBlock(voted, block(2, 'B'), EPOCH);
    expect(other.votes).toEqual(voted.votes);
    const again = applyBlock(other, block(3, 'A'), EPOCH);
    expect(again.votes).toEqual([]);
    expect(applyBlock(again, block(4, 'B', add), EPOCH).validators).toHaveLength(3);
  });

  it('votes the zero address out where it is a validator', () => {
    const set = snapshotOf(0, [ZERO_ADDRESS, addressOf('A'), addressOf('B')]);
    const one = applyBlock(set, block(1, 'A'), EPOCH);
    expect(one.validators).toContain(ZERO_ADDRESS);
    expect(applyBlock(one, block(2, 'B'), EPOCH).validators).not.toContain(ZERO_ADDRESS);
  });

  it.each(['qbft', 'ibft'] as const)('is read so from headers of %s, where it is asked for', (engine) => {
    const extraData = bftRules(engine).genesisExtraData([addressOf('A')]);
    const header = {
      extraData,
      beneficiary: ZERO_ADDRESS,
      nonce: new Uint8Array(8),
    } as unknown as BlockHeader;
    expect(readHeaderVote(engine, header)).toBeUndefined();
    expect(readHeaderVote(engine, header, 'zeroDrop')).toEqual(zeroDrop);
  });

  it('is not one that adds the zero address, in the older headers', () => {
    const add = { recipient: ZERO_ADDRESS, isAdd: true };
    const extraData = bftRules('ibft').genesisExtraData([addressOf('A')]);
    const header = { extraData, ...ibftVoteFields(add) } as unknown as BlockHeader;
    expect(readHeaderVote('ibft', header, 'zeroDrop')).toEqual(add);
  });
});

describe('votes about validators', () => {
  // Source of the cases: Consensys/quorum, consensus/istanbul/backend/snapshot_test.go.
  it.each([
    ['one validator adds another by itself', 'A', 'A:+B', 'AB'],
    ['two must both agree to a third', 'AB', 'A:+C, B', 'AB'],
    ['two agree to a third', 'AB', 'A:+C, B:+C', 'ABC'],
    ['I14 (a): one of two cannot drop the other', 'AB', 'A:-B', 'AB'],
    ['I14 (b): two of two drop one', 'AB', 'A:-B, B:-B', 'A'],
    ['a lone validator may drop itself', 'A', 'A:-A', ''],
    ['two of three drop the third', 'ABC', 'A:-C, B:-C', 'AB'],
    ['two of four do not drop one', 'ABCD', 'A:-D, B:-D', 'ABCD'],
    ['three of four do', 'ABCD', 'A:-D, B:-D, C:-D', 'ABC'],
    ['I17: several targets at once (add)', 'AB', 'A:+C, B, A:+D, B, A, B:+D, A, B:+C', 'ABCD'],
    ['I19: several targets at once (drop)', 'ABCD', 'A:-C, B, C, A:-D, B, C, A, B:-D, C:-D, A, B:-C', 'AB'],
    ['a vote cast twice counts once', 'AB', 'A:+C, B, A:+C, B, A:+C, B', 'AB'],
    ['votes of who was dropped are withdrawn', 'ABC', 'C:+D, A:-C, B:-C, A:+D', 'AB'],
    ['a late change waits until it is touched', 'ABCD', LATE, 'ABC'],
    ['I22 (a): a meaningless vote touches it', 'ABCD', `${LATE}, A, C:+C`, 'AB'],
    ['I22 (b): a vote that was withdrawn before does not', 'ABCD', `${LATE}, A, B:+C`, 'ABC'],
    [
      'I23: a validator that returns needs fresh votes',
      'ABCDE',
      'A:+F, B:+F, C:+F, D:-F, E:-F, B:-F, C:-F, D:+F, E:+F, B:-A, C:-A, D:-A, B:+F',
      'BCDEF',
    ],
  ])('%s', (_, set, blocks, expected) => {
    expect(names(play(set, blocks))).toBe(expected);
  });

  // The thresholds of docs/spec/bft.md#votes.
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 3],
    [6, 4],
    [7, 4],
  ])('of %i validators need %i', (size, needed) => {
    const set = 'ABCDEFG'.slice(0, size);
    const votes = (count: number) => [...set.slice(0, count)].map((name) => `${name}:+H`).join(', ');
    expect(names(play(set, votes(needed - 1)))).toBe(set);
    expect(names(play(set, votes(needed)))).toBe(`${set}H`);
  });

  it('I24: are forgotten at an epoch, but the vote of that very block counts', () => {
    expect(names(play('AB', 'A:+C, B, A, B:+C', 3))).toBe('AB');
    expect(play('AB', 'A:+C, B', 3).votes).toHaveLength(1);
    expect(play('AB', 'A:+C, B, A', 3).votes).toEqual([]);
    expect(play('AB', 'A:+C, B, A:+D', 3).votes).toMatchObject([{ recipient: addressOf('D'), block: 3 }]);
  });

  it('are listed with their voter and block, and tallied by recipient', () => {
    const snapshot = play('ABCD', 'A:+E, B, C:+E, D:-A');
    expect(snapshot.votes).toEqual([
      { validator: addressOf('A'), block: 1, recipient: addressOf('E'), isAdd: true },
      { validator: addressOf('C'), block: 3, recipient: addressOf('E'), isAdd: true },
      { validator: addressOf('D'), block: 4, recipient: addressOf('A'), isAdd: false },
    ]);
    expect(new Map(tallyOf(snapshot))).toEqual(
      new Map([
        [addressOf('E'), { isAdd: true, votes: 2 }],
        [addressOf('A'), { isAdd: false, votes: 1 }],
      ]),
    );
    expect([...tallyOf(snapshot).keys()]).toEqual([...tallyOf(snapshot).keys()].sort());
  });

  it('come from validators, block after block', () => {
    expect(() => play('AB', 'C')).toThrow('unauthorized');
    const skipped = { number: 2, author: addressOf('A'), vote: undefined };
    expect(() => applyBlock(snapshotOf(0, [addressOf('A')]), skipped, EPOCH)).toThrow('invalid voting chain');
  });

  it('leave the snapshot unchanged without a vote', () => {
    const before = play('AB', 'A:+C');
    const after = applyBlock(before, { number: 2, author: addressOf('B'), vote: undefined }, EPOCH);
    expect(after.validators).toBe(before.validators);
    expect(after.votes).toBe(before.votes);
  });
});

describe('the vote in a header', () => {
  const header = (changes: Partial<BlockHeader>): BlockHeader => ({
    parentHash: ZERO_HASH,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 1,
    gasLimit: 1n,
    gasUsed: 0n,
    timestamp: 1n,
    extraData: bftRules('ibft').genesisExtraData([]),
    mixHash: ISTANBUL_MIX_HASH,
    nonce: new Uint8Array(8),
    ...changes,
  });
  const votes = [
    undefined,
    { recipient: addressOf('C'), isAdd: true },
    { recipient: addressOf('C'), isAdd: false },
  ];

  it.each(votes)('of the older format is in beneficiary and nonce: %j', (vote) => {
    expect(readHeaderVote('ibft', header(ibftVoteFields(vote)))).toEqual(vote);
  });

  it.each(votes)('of QBFT is in the extra data: %j', (vote) => {
    const extra = { vanity: new Uint8Array(32), validators: [], round: 0, committedSeals: [] };
    const extraData = encodeQbftExtraData({ ...extra, ...(vote === undefined ? {} : { vote }) });
    // The beneficiary is the proposer there.
    expect(readHeaderVote('qbft', header({ extraData, beneficiary: addressOf('A') }))).toEqual(vote);
  });
});

describe('the vote that a proposer casts', () => {
  const snapshot = play('AB', '');
  const candidates = new Map([
    [addressOf('C'), true],
    [addressOf('D'), false],
    [addressOf('A'), true],
    [addressOf('B'), false],
  ]);

  it('is one of those that count, at random', () => {
    expect(chooseVote(candidates, snapshot, () => 0)).toEqual({ recipient: addressOf('C'), isAdd: true });
    expect(chooseVote(candidates, snapshot, () => 0.99)).toEqual({ recipient: addressOf('B'), isAdd: false });
  });

  it('is undefined when no vote counts, and without candidates', () => {
    expect(chooseVote(new Map([[addressOf('A'), true]]), snapshot, () => 0)).toBeUndefined();
    expect(chooseVote(new Map(), snapshot, () => 0)).toBeUndefined();
  });
});
