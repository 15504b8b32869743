import { afterEach, describe, expect, it } from '@jest/globals';
import { signDigest } from '@tetrad/crypto';
import { RequestError } from '@tetrad/types';
import { eventually } from './eventually.js';
import { FakeNetwork } from './fake-node.js';

const network = new FakeNetwork();
afterEach(() => network.stop());

/** More dials in a row than a peer may fail before it is forgotten. */
const ENOUGH = 9;

/** A key that signs as long as it is there, and counts how often it was not. */
function removableKey() {
  const state = { isThere: true, missed: 0 };
  const sign = (digest: Uint8Array, privateKey: Uint8Array) => {
    if (state.isThere) return signDigest(digest, privateKey);
    state.missed += 1;
    throw new RequestError('KEY_UNAVAILABLE', 'the service of the key does not sign at present');
  };
  return { state, sign };
}

describe('a node whose key is in a service that is away', () => {
  it('keeps the peers that it discovered, and connects with them when the key is back', async () => {
    const { state, sign } = removableKey();
    const middle = await network.start({ peerExchange: true });
    const node = await network.start({
      sign,
      peerExchange: true,
      staticPeers: [middle.enode],
      limits: { backoffCapMs: 50 },
    });
    await eventually(() => node.peerIds.length === 1);
    state.isThere = false;
    const discovered = await network.start({ staticPeers: [middle.enode] });
    await eventually(() => state.missed > 0);
    // Afterwards no peer tells the node of another.
    await middle.network.stop();
    await eventually(() => state.missed >= ENOUGH);
    expect(node.peerIds).toEqual([]);
    state.isThere = true;
    await eventually(() => node.peerIds.includes(discovered.nodeId));
    expect(node.log.complaints('a dial failed')).toBe(0);
  });

  it('says that it is busy to those who dial it, and they connect when the key is back', async () => {
    const { state, sign } = removableKey();
    state.isThere = false;
    const away = await network.start({ sign });
    const node = await network.start({ staticPeers: [away.enode] });
    await eventually(() => node.log.complaints('busy') === 1);
    state.isThere = true;
    await eventually(() => node.peerIds.includes(away.nodeId));
  });
});
