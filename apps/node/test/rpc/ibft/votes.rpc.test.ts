import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

describe('ibft_propose', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(() => node.stop());

  const ZERO = `0x${'00'.repeat(20)}`;
  const candidates = () => node.result('ibft_candidates');

  it('answers null, checks nothing of the address, and keeps the last value', async () => {
    const own = await node.result('ibft_nodeAddress');
    expect(await node.result('ibft_propose', [own, true])).toBeNull();
    expect(await candidates()).toEqual({ [own as string]: true });
    // A vote to add who is a validator already does not count, so nothing comes of it.
    expect(await node.result('ibft_getValidators')).toEqual([own]);
    expect(await node.result('ibft_propose', [own, true])).toBeNull();
    expect(await candidates()).toEqual({ [own as string]: true });
    await node.result('ibft_discard', [own]);
    // A vote against an address that is not a validator does not count either, so both values can be seen.
    expect(await node.result('ibft_propose', [ZERO, false])).toBeNull();
    expect(await candidates()).toEqual({ [ZERO]: false });
    await node.result('ibft_discard', [ZERO]);
  });

  it('names a bad parameter', async () => {
    expect((await node.call('ibft_propose', ['0x12', true])).error).toMatchObject({
      code: -32602,
      data: { field: 'address' },
    });
    for (const auth of ['true', 1, null]) {
      expect((await node.call('ibft_propose', [addressOf('E'), auth])).error).toMatchObject({
        code: -32602,
        data: { field: 'auth' },
      });
    }
    expect((await node.call('ibft_propose', [addressOf('E')])).error?.code).toBe(-32602);
    expect(await candidates()).toEqual({});
  });

  it('refuses more candidates than the limit', async () => {
    const strange = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
    // All of them are votes against addresses that are not validators, which do not count.
    for (let from = 1; from <= 1_000; from += 50) {
      const some = Array.from({ length: 50 }, (_, index) => strange(from + index));
      await Promise.all(some.map((address) => node.result('ibft_propose', [address, false])));
    }
    const refused = await node.call('ibft_propose', [strange(5_000), false]);
    expect(reasonOf(refused)).toBe('TOO_MANY_CANDIDATES');
    expect(refused.error?.code).toBe(-32005);
    // One that is there already may still change its mind.
    expect(await node.result('ibft_propose', [strange(1), false])).toBeNull();
  });

  it('makes the proposer vote, and the vote of the only validator decides', async () => {
    await node.result('ibft_discard', [`0x${'1'.padStart(40, '0')}`]);
    await node.result('ibft_propose', [addressOf('E'), true]);
    const own = await node.result<string>('ibft_nodeAddress');
    const expected = [own, addressOf('E')].sort();
    for (;;) {
      const validators = await node.result<string[]>('ibft_getValidators');
      if (validators.length === 2) {
        expect(validators).toEqual(expected);
        break;
      }
      await new Promise((tick) => setTimeout(tick, 20));
    }
    // A success does not take the candidate out.
    expect(await candidates()).toMatchObject({ [addressOf('E')]: true });
  });
});

describe('ibft_candidates', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'qbft', blocks: 'A' });
  });
  afterAll(() => node.stop());

  it('is empty at first, then what was proposed, ascending and in lower case', async () => {
    expect(await node.result('ibft_candidates')).toEqual({});
    await node.result('ibft_propose', [addressOf('E').toUpperCase().replace('0X', '0x'), true]);
    await node.result('ibft_propose', [addressOf('A'), false]);
    const candidates = await node.result<object>('ibft_candidates');
    expect(Object.entries(candidates)).toEqual([
      [addressOf('A'), false],
      [addressOf('E'), true],
    ]);
  });

  it('hold the last value that was proposed of an address', async () => {
    await node.result('ibft_propose', [addressOf('B'), true]);
    expect(await node.result('ibft_candidates')).toMatchObject({ [addressOf('B')]: true });
    await node.result('ibft_propose', [addressOf('B'), false]);
    expect(await node.result('ibft_candidates')).toMatchObject({ [addressOf('B')]: false });
    await node.result('ibft_discard', [addressOf('B')]);
  });

  it('takes no parameters', async () => {
    expect((await node.call('ibft_candidates', [1])).error?.code).toBe(-32602);
  });
});

describe('ibft_discard', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnChain({ engine: 'ibft', blocks: 'A:+E' });
  });
  afterAll(() => node.stop());

  it('answers null, also for an address that is not a candidate', async () => {
    await node.result('ibft_propose', [addressOf('E'), true]);
    await node.result('ibft_propose', [addressOf('B'), false]);
    expect(await node.result('ibft_discard', [addressOf('B')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({ [addressOf('E')]: true });
    expect(await node.result('ibft_discard', [addressOf('D')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({ [addressOf('E')]: true });
  });

  it('I39: leaves a vote that a block carries in the snapshot', async () => {
    expect(await node.result('ibft_discard', [addressOf('E')])).toBeNull();
    expect(await node.result('ibft_candidates')).toEqual({});
    expect(await node.result('ibft_getSnapshot')).toMatchObject({
      tally: { [addressOf('E')]: { authorize: true, votes: 1 } },
    });
  });

  it('names a bad parameter', async () => {
    const { error } = await node.call('ibft_discard', ['E']);
    expect(error).toMatchObject({ code: -32602, data: { field: 'address' } });
  });
});
