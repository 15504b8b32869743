import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNode, reasonOf, type RunningNode } from '../../running-node.js';
import { addressOf } from '../../validator-chain.js';

let node: RunningNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(() => node.stop());

const ZERO = `0x${'00'.repeat(20)}`;
const candidates = () => node.result('ibft_candidates');

describe('ibft_propose', () => {
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
