import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { nodeIdFromBytes, type NodeId } from '../identity/node-id.js';
import { PeerTable } from './peer-table.js';

const anyId = (): NodeId => nodeIdFromBytes(publicKeyFromPrivateKey(generatePrivateKey()));
const [here, there] = [
  { host: '10.0.0.1', port: 1 },
  { host: '10.0.0.2', port: 2 },
];
const ownId = anyId();

const open = () =>
  new PeerTable({
    ownId,
    maxPeers: 2,
    maxCandidates: 3,
    outbox: { messages: 10, bytes: 1_000 },
    onDrop: () => undefined,
  });

describe('the peer table', () => {
  it('does not change the endpoint of a static peer to a learned one', () => {
    const [table, nodeId] = [open(), anyId()];
    table.addStatic({ nodeId, ...here });
    table.learn(nodeId, there);
    expect(table.find(nodeId)).toMatchObject({ endpoint: here, isStatic: true });
    const other = anyId();
    table.learn(other, here);
    expect(table.learn(other, there)).toMatchObject({ endpoint: there, isStatic: false });
  });

  it('does not take the node itself for a peer', () => {
    expect(open().learn(ownId, here)).toBeUndefined();
  });

  it('stays within its bound: a node only known from peers is dropped first, a banned one last', () => {
    const table = open();
    const first = table.learn(anyId(), here);
    for (let count = 0; count < 20; count++) table.learn(anyId(), here);
    expect(table.all()).toHaveLength(5);
    expect(table.all()).not.toContain(first);
    const [idle, ...banned] = table.all();
    for (const peer of banned) peer.apply({ kind: 'banned', untilMs: 1 });
    table.learn(anyId(), here);
    expect(table.all()).not.toContain(idle);
    expect(table.all()).toEqual(expect.arrayContaining(banned));
    table.addStatic({ nodeId: anyId(), ...here });
    expect(table.all()).toHaveLength(6);
  });

  it('has a place for a newcomer when all others are banned: that of the ban that ends first', () => {
    const table = open();
    for (let count = 0; count < 5; count++) table.learn(anyId(), here);
    const ends = [5, 4, 1, 2, 3];
    table.all().forEach((peer, index) => peer.apply({ kind: 'banned', untilMs: ends[index] as number }));
    const [freed, kept] = [table.all()[2], table.all()[3]];
    const newcomer = table.learn(anyId(), here);
    expect(newcomer).toBeDefined();
    expect(table.all()).toHaveLength(5);
    expect(table.all()).toEqual(expect.arrayContaining([newcomer, kept]));
    expect(table.all()).not.toContain(freed);
  });

  it('has none while all others are connected', () => {
    const table = open();
    for (let count = 0; count < 5; count++)
      table.learn(anyId(), here)?.apply({ kind: 'established', nowMs: 0 });
    expect(table.learn(anyId(), here)).toBeUndefined();
  });
});
