import { describe, expect, it } from '@jest/globals';
import { hostKey } from '@tetrad/types';
import type { NodeId } from '../identity/node-id.js';
import type { Peer } from '../peers/peer.js';
import { HandshakeLimit } from './handshake-limit.js';

const limits = { handshakesPerSecond: 10, handshakesPerSecondPerAddress: 1, handshakesPerSecondPerKnown: 1 };
const [ANY, STATIC, SEEN] = ['any', 'static', 'seen'] as NodeId[] as [NodeId, NodeId, NodeId];
const HOME = '10.0.0.9';

function open(now: () => number = () => 0): HandshakeLimit {
  const known = new Map<NodeId, Pick<Peer, 'isStatic' | 'lastAddress'>>([
    [STATIC, { isStatic: true, lastAddress: undefined }],
    [SEEN, { isStatic: false, lastAddress: hostKey(HOME) }],
  ]);
  return new HandshakeLimit({ limits, now, find: (nodeId) => known.get(nodeId) as Peer | undefined });
}

/** How many handshakes of a kind are let in, one after the other. */
function count(limit: HandshakeLimit, nodeId: NodeId, host: (index: number) => string): number {
  let taken = 0;
  for (let index = 0; index < 1_000; index++) if (limit.take(nodeId, host(index))) taken += 1;
  return taken;
}

describe('handshakes', () => {
  it('of one address are bounded, without an effect on others', () => {
    const limit = open();
    expect(count(limit, ANY, () => '10.0.0.1')).toBe(10);
    expect(count(limit, ANY, () => '10.0.0.2')).toBe(10);
  });

  it('of all strangers together are bounded, whatever their addresses', () => {
    const limit = open();
    expect(count(limit, ANY, (index) => `10.0.${index >> 8}.${index & 255}`)).toBe(20);
    expect(limit.take(STATIC, '10.0.0.1')).toBe(true);
    expect(limit.take(SEEN, HOME)).toBe(true);
  });

  it('in the name of a known node from elsewhere do not use up its own limit', () => {
    const limit = open();
    count(limit, ANY, (index) => `10.0.${index >> 8}.${index & 255}`);
    expect(count(limit, SEEN, () => '10.7.7.7')).toBe(10);
    expect(limit.take(SEEN, '10.7.7.8')).toBe(false);
    expect(limit.take(SEEN, HOME)).toBe(true);
  });

  it('are possible again after a while', () => {
    let now = 0;
    const limit = open(() => now);
    count(limit, ANY, () => '10.0.0.1');
    now = 2_000;
    expect(count(limit, ANY, () => '10.0.0.1')).toBe(2);
  });

  it('are counted in a bounded number of buckets', () => {
    const limit = open();
    for (let index = 0; index < 20_000; index++)
      limit.take(ANY, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    expect(limit.size).toBeLessThanOrEqual(8_192);
  });
});
