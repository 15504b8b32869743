import { afterEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey } from '@tetrad/crypto';
import { hashFromBytes } from '@tetrad/types';
import { parseEnode } from '../src/index.js';
import { eventually, pause } from './eventually.js';
import { FakeNetwork } from './fake-node.js';

const ANY_HASH = hashFromBytes(new Uint8Array(32).fill(0xab));

const network = new FakeNetwork();
afterEach(() => network.stop());

describe('two nodes', () => {
  it('connect when one of them knows the other, and both learn the identity of the other', async () => {
    const one = await network.start();
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1 && two.peerIds.length === 1);
    expect(one.network.peers()).toMatchObject([
      { nodeId: two.nodeId, direction: 'inbound', isStatic: false, name: 'Tetrad/test', enode: two.enode },
    ]);
    expect(two.network.peers()).toMatchObject([
      { nodeId: one.nodeId, direction: 'outbound', isStatic: true, address: one.address },
    ]);
  });

  it('stay connected once when both dial at the same time', async () => {
    const [one, two] = [await network.start(), await network.start()];
    one.network.addPeer(parseEnode(two.enode));
    two.network.addPeer(parseEnode(one.enode));
    await eventually(() => one.peerIds.length === 1 && two.peerIds.length === 1);
    const changes: string[] = [];
    one.network.onPeer(({ kind }) => changes.push(kind));
    await pause(700);
    expect(changes).toEqual([]);
    expect(one.peerIds).toEqual([two.nodeId]);
    expect(two.peerIds).toEqual([one.nodeId]);
  });

  it.each([
    ['another chain id', { chainId: 7n }, 'wrong-chain'],
    ['another genesis', { genesisHash: ANY_HASH }, 'wrong-genesis'],
  ])('of %s do not connect, and the reason is logged once', async (_, difference, reason) => {
    const one = await network.start();
    const two = await network.start({ ...difference, staticPeers: [one.enode] });
    await eventually(() => two.log.complaints(reason) > 0);
    await pause(500);
    expect(two.log.complaints(reason)).toBe(1);
    expect([one.peerIds, two.peerIds]).toEqual([[], []]);
  });

  it('do not connect when another key answers at the address', async () => {
    const [one, other] = [await network.start(), await network.start()];
    const enode = other.enode.replace(other.nodeId, one.nodeId);
    const two = await network.start({ staticPeers: [enode] });
    await eventually(() => two.log.complaints('wrong-node') === 1);
    expect(two.peerIds).toEqual([]);
  });

  it('do not connect when one of them is not permitted', async () => {
    const one = await network.start({ isAllowed: () => false });
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => two.log.complaints('not-allowed') === 1);
    expect([one.peerIds, two.peerIds]).toEqual([[], []]);
  });

  it('disconnect when one of them loses its permission, at its next message', async () => {
    let isAllowed = true;
    const one = await network.start({ isAllowed: () => isAllowed });
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1);
    isAllowed = false;
    await eventually(() => one.peerIds.length === 0 && two.peerIds.length === 0);
    expect(one.log.complaints('no longer permitted')).toBe(1);
  });

  it('disconnect at once when permissions of one of them change, and connect again', async () => {
    let isAllowed = true;
    const one = await network.start({ isAllowed: () => isAllowed });
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1);
    one.network.dropForbidden();
    expect(one.peerIds).toEqual([two.nodeId]);
    isAllowed = false;
    one.network.dropForbidden();
    expect(one.peerIds).toEqual([]);
    await eventually(() => two.peerIds.length === 0);
    isAllowed = true;
    await eventually(() => one.peerIds.length === 1 && two.peerIds.length === 1);
  });

  it('find each other again after one was restarted on another port', async () => {
    const one = await network.start();
    const privateKey = generatePrivateKey();
    const two = await network.start({ privateKey, staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1);
    await two.network.stop();
    await eventually(() => one.peerIds.length === 0);
    const again = await network.start({ privateKey, staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1 && again.peerIds.length === 1);
    expect(one.duplicates).toEqual([]);
  });
});

describe('two running nodes with one key', () => {
  it('are noticed by a peer of both and by the one that connected last', async () => {
    const middle = await network.start();
    const privateKey = generatePrivateKey();
    const first = await network.start({ privateKey, staticPeers: [middle.enode] });
    await eventually(() => middle.peerIds.length === 1);
    const second = await network.start({ privateKey, staticPeers: [middle.enode] });
    await eventually(() => middle.duplicates.length > 0 && second.duplicates.length > 0);
    expect(middle.duplicates[0]).toMatchObject({ nodeId: first.nodeId, isOwn: false });
    expect(middle.duplicates[0]?.addresses).toContain(`127.0.0.1:${second.port}`);
    expect(second.duplicates[0]).toMatchObject({ nodeId: first.nodeId, isOwn: true });
    expect(middle.log.complaints('two running nodes')).toBe(1);
    expect(first.peerIds).toEqual([middle.nodeId]);
    expect(second.peerIds).toEqual([]);
  });
});

describe('peer exchange', () => {
  it('lets a node find the peers of its peer', async () => {
    const one = await network.start({ peerExchange: true });
    const two = await network.start({ peerExchange: true, staticPeers: [one.enode] });
    const three = await network.start({ peerExchange: true, staticPeers: [one.enode] });
    await eventually(() => two.peerIds.includes(three.nodeId) && three.peerIds.includes(two.nodeId));
  });

  it('does not fill a node beyond its limit', async () => {
    const one = await network.start({ limits: { maxPeers: 1 } });
    const two = await network.start({ staticPeers: [one.enode] });
    await eventually(() => one.peerIds.length === 1);
    const three = await network.start({ staticPeers: [one.enode] });
    await eventually(() => three.log.complaints('too-many-peers') === 1);
    expect(one.peerIds).toEqual([two.nodeId]);
  });
});

describe('peers by hand', () => {
  it('are added and removed', async () => {
    const [one, two] = [await network.start(), await network.start()];
    expect(two.network.addPeer(parseEnode(one.enode))).toBe(true);
    expect(two.network.addPeer(parseEnode(two.enode))).toBe(false);
    await eventually(() => one.peerIds.length === 1);
    expect(two.network.removePeer(one.nodeId)).toBe(true);
    expect(two.network.removePeer(one.nodeId)).toBe(false);
    await eventually(() => one.peerIds.length === 0);
    expect(two.peerIds).toEqual([]);
  });
});
