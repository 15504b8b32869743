import { describe, expect, it } from '@jest/globals';
import { encodeIbftExtraData, encodeQbftExtraData } from '@tetrad/node-consensus-bft';
import { permissionTopics } from '@tetrad/node-permission-contracts';
import { parseAddress, type Address } from '@tetrad/types';
import { publicKeyToAddress } from 'viem/utils';
import { blockEvents, type HourBlock } from '../page/src/network/block-events.js';
import { consensusFields } from '../page/src/network/consensus-fields.js';
import { permissionEventNames } from '../page/src/network/permission-events.js';
import { MAX_SEEN, SeenChanges, type SeenNode } from '../page/src/network/seen-changes.js';
import { unlistedNodes } from '../page/src/network/unlisted-nodes.js';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((digit) => parseAddress(`0x${digit.repeat(40)}`)) as [
  Address,
  Address,
  Address,
  Address,
];
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const vanity = new Uint8Array(32);
const none = { vanity, committedSeals: [] };

const qbft = (
  number: number,
  changes: {
    readonly timestamp?: number;
    readonly miner?: Address;
    readonly validators?: readonly Address[];
    readonly round?: number;
    readonly vote?: { readonly recipient: Address; readonly isAdd: boolean };
  } = {},
): HourBlock => {
  const { timestamp = number, miner = a, validators = [a, b, c], round = 0, vote } = changes;
  const extraData = hex(encodeQbftExtraData({ ...none, validators, round, ...(vote && { vote }) }));
  return { number, timestamp, miner, extraData };
};

describe('the fields of consensus in a header', () => {
  it('are those that QBFT writes', () => {
    const vote = { recipient: d, isAdd: true };
    expect(consensusFields(qbft(1, { round: 300, vote }))).toEqual({
      round: 300,
      validators: [a, b, c],
      vote: { candidate: d, isIn: true },
    });
    expect(consensusFields(qbft(1, { vote: { recipient: d, isAdd: false } }))?.vote).toEqual({
      candidate: d,
      isIn: false,
    });
    expect(consensusFields(qbft(1))).toMatchObject({ round: 0, vote: undefined });
  });

  it('are those that IBFT writes', () => {
    const seal = new Uint8Array(65);
    const extraData = hex(encodeIbftExtraData({ ...none, validators: [a], proposerSeal: seal }));
    const zero = `0x${'0'.repeat(40)}`;
    expect(consensusFields({ extraData, miner: zero, nonce: `0x${'0'.repeat(16)}` })).toEqual({
      round: undefined,
      validators: [a],
      vote: undefined,
    });
    expect(consensusFields({ extraData, miner: d, nonce: `0x${'f'.repeat(16)}` })?.vote).toEqual({
      candidate: d,
      isIn: true,
    });
  });

  it.each(['0x', '0xf8', `0x${'00'.repeat(32)}`, `0x${'c1'.repeat(2_000)}`, '0xc5c0c0c0c0c0', '0x<script>'])(
    'are not there in %s',
    (extraData) => {
      expect(consensusFields({ extraData, miner: a })).toBeUndefined();
    },
  );
});

describe('what blocks show', () => {
  it('is nothing while all is as usual', () => {
    expect(blockEvents([])).toEqual([]);
    expect(blockEvents([1, 2, 3, 4].map((number) => qbft(number)))).toEqual([]);
  });

  it('is gaps, late rounds with those who missed them, votes and new validators, newest first', () => {
    const vote = { recipient: d, isAdd: true };
    const blocks = [
      qbft(1, { miner: c }),
      qbft(2, { miner: a, vote }),
      qbft(3, { miner: a, vote, timestamp: 40, round: 2 }),
      qbft(4, { timestamp: 41, validators: [a, b, d] }),
    ];
    expect(blockEvents(blocks)).toEqual([
      { block: 4, time: 41, kind: 'validators', joined: [d], left: [c] },
      { block: 3, time: 40, kind: 'rounds', round: 2, missed: [b, c], times: 1, since: 3, seconds: 38 },
      { block: 2, time: 2, kind: 'vote', by: a, candidate: d, isIn: true },
    ]);
  });

  it('says a gap alone where no round was late', () => {
    const blocks = [qbft(1), qbft(2), qbft(3), qbft(4, { timestamp: 31 })];
    expect(blockEvents(blocks)).toEqual([{ block: 4, time: 31, kind: 'gap', seconds: 28 }]);
  });

  it('is one for the late rounds of a validator that is down, until another one is', () => {
    const blocks = [
      qbft(1, { miner: a }),
      qbft(2, { miner: c, round: 1 }),
      qbft(3, { miner: a }),
      qbft(4, { miner: c, round: 1 }),
      qbft(5, { miner: b }),
      qbft(6, { miner: a, round: 1 }),
    ];
    expect(blockEvents(blocks)).toMatchObject([
      { block: 6, kind: 'rounds', missed: [c], times: 1, since: 6 },
      { block: 4, kind: 'rounds', missed: [b], times: 2, since: 2 },
    ]);
  });

  it('names no validator twice, however late the round', () => {
    const [event] = blockEvents([qbft(1, { miner: a }), qbft(2, { round: 1_000_000_000 })]);
    expect(event).toMatchObject({ kind: 'rounds', missed: [b, c, a] });
  });
});

it('events of permissions are those of both models of the contracts', () => {
  const topics = new Set([...permissionTopics('v1'), ...permissionTopics('v2')]);
  expect(new Set(permissionEventNames().keys())).toEqual(topics);
});

describe('nodes that are not in the file', () => {
  const keys = ['1', '2', '3'].map((digit) => digit.repeat(128));
  const enode = (at: number) => `enode://${keys[at]}@10.0.0.${at}:30303`;
  const address = (at: number) => publicKeyToAddress(`0x04${keys[at] ?? ''}`);

  it('are peers and permitted ones, known by the account of their key', () => {
    const peers = [
      { name: 'x', enodes: [enode(0), enode(1), 'enode://12@h', '<script>'] },
      { name: 'y', enodes: [enode(1)] },
    ];
    const found = unlistedNodes([address(0)], peers, [enode(0), enode(1), enode(2)]);
    expect(found).toEqual([
      { enode: enode(1), address: address(1).toLowerCase(), peerOf: ['x', 'y'], isPermitted: true },
      { enode: enode(2), address: address(2).toLowerCase(), peerOf: [], isPermitted: true },
    ]);
  });
});

describe('what a page saw', () => {
  const node = (changes: Partial<SeenNode> = {}): SeenNode => ({
    name: 'n',
    isUp: true,
    version: '1',
    peers: new Map([['p', 'enode://p']]),
    ...changes,
  });

  it('is what differs from before: lost and back, another client, peers', () => {
    const seen = new SeenChanges();
    seen.look([node({ isUp: undefined, version: undefined, peers: undefined })], 0);
    seen.look([node()], 1);
    seen.look([node()], 2);
    expect(seen.all).toEqual([]);
    seen.look([node({ isUp: false, version: undefined, peers: undefined })], 3);
    seen.look([node({ version: '2', peers: new Map([['q', 'enode://q']]) })], 4);
    expect(seen.all.map(({ time, kind, what }) => [time, kind, what])).toEqual([
      [4, 'peer new', 'enode://q'],
      [4, 'peer gone', 'enode://p'],
      [4, 'version', '2'],
      [4, 'back', undefined],
      [3, 'lost', undefined],
    ]);
  });

  it('has a bound', () => {
    const seen = new SeenChanges();
    for (let turn = 0; turn <= 2 * MAX_SEEN; turn += 1) seen.look([node({ isUp: turn % 2 === 0 })], turn);
    expect(seen.all).toHaveLength(MAX_SEEN);
    expect(seen.all[0]?.time).toBe(2 * MAX_SEEN);
  });
});
