import { describe, expect, it } from '@jest/globals';
import { encodeBlock } from '@tetrad/node-block';
import {
  decodeQbftExtraData,
  hashHeader,
  orderProposers,
  proposerOf,
  verifyHeader,
} from '@tetrad/node-consensus-bft';
import { blockZeroOf } from '@tetrad/node-ledger';
import { ZERO_ADDRESS, parseAddress } from '@tetrad/types';
import { bftChainRules } from '../src/index.js';
import { recordedBlocks, recordedGenesis } from './recorded-chains.js';

/** The address that is voted in; its key is unknown. */
const VOTED = parseAddress(`0x${'00'.repeat(19)}fe`);

describe.each([
  ['qbft', { votedIn: 18, votedOut: 24 }],
  ['istanbul', { votedIn: 19, votedOut: 23 }],
])('the %s chain of a GoQuorum', (name, { votedIn, votedOut }) => {
  it('has the same block 0 as its genesis file yields here, byte for byte', async () => {
    const [recorded] = await recordedBlocks(name);
    const genesis = recordedGenesis(name);
    const zero = await blockZeroOf(genesis, bftChainRules(genesis));
    expect(zero.hash).toBe(recorded?.block.hash);
    expect(Buffer.from(encodeBlock(zero))).toEqual(Buffer.from(recorded?.encoded ?? []));
  });

  it('has headers whose hashes link up, seals of its validators and the proposers whose turn it was', async () => {
    const genesis = recordedGenesis(name);
    const rules = bftChainRules(genesis);
    const [zero, ...blocks] = (await recordedBlocks(name)).map(({ block }) => block);
    if (zero === undefined) throw new Error('no blocks');
    let snapshot = rules.genesisSnapshot(zero.header, undefined);
    let parent = zero;
    const changes: { block: number; isIn: boolean }[] = [];
    let [wasIn, late] = [false, 0];
    for (const block of blocks) {
      const { header } = block;
      expect(hashHeader(header)).toBe(block.hash);
      const { validators } = snapshot;
      const format = rules.formatAt(header.number);
      verifyHeader({
        rules: format,
        header,
        parent,
        validators,
        now: Number(header.timestamp),
        allowedFutureSeconds: 0,
        periodSeconds: 1,
        legacyQuorum: false,
      });
      const lastAuthor = parent === zero ? ZERO_ADDRESS : rules.proposerOf(parent.header);
      const ordered = orderProposers(validators, format.engine);
      const turnOf = (round: number) => proposerOf(ordered, { lastAuthor, round, policy: 'roundRobin' });
      // Older headers do not say in which round they were decided; those in time, of one who is there, in the first.
      const isLate = turnOf(0) === VOTED || header.timestamp > parent.header.timestamp + 1n;
      if (format.engine === 'qbft')
        expect(rules.proposerOf(header)).toBe(turnOf(decodeQbftExtraData(header.extraData).round));
      else if (!isLate) expect(rules.proposerOf(header)).toBe(turnOf(0));
      if (isLate) late += 1;
      snapshot = rules.snapshotAfter(snapshot, header, undefined);
      const isIn = snapshot.validators.includes(VOTED);
      if (isIn !== wasIn) changes.push({ block: header.number, isIn });
      wasIn = isIn;
      parent = block;
    }
    expect(changes).toEqual([
      { block: votedIn, isIn: true },
      { block: votedOut, isIn: false },
    ]);
    expect(late).toBeLessThan(5);
    expect(blocks.flatMap(({ transactions }) => transactions)).toHaveLength(713);
  });

  it('is written as it was read', async () => {
    for (const { block, encoded } of await recordedBlocks(name))
      expect(Buffer.from(encodeBlock(block)).equals(encoded)).toBe(true);
  });
});

describe.each(['private', 'marker'])('the network with privacy switched on, %s', (name) => {
  it('has the same block 0 as its genesis file yields here', async () => {
    const [recorded] = await recordedBlocks(name, `${name}.block0.rlp`);
    const genesis = recordedGenesis(name);
    expect((await blockZeroOf(genesis, bftChainRules(genesis))).hash).toBe(recorded?.block.hash);
    expect(genesis.privacy).toEqual({ enhancementsBlock: 0, precompileBlock: 0 });
    expect(genesis.promises).toEqual([]);
  });
});
