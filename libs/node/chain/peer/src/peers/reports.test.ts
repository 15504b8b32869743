import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { silentLogger, silentMetrics, type Metrics } from '@tetrad/types';
import { nodeIdFromBytes, type NodeId } from '../identity/node-id.js';
import { Outbox } from '../sending/outbox.js';
import { OnceLog } from './once-log.js';
import type { PeerConnection } from './peer-connection.js';
import { PeerMetrics } from './peer-metrics.js';
import { Peer } from './peer.js';

const LIMITS = { messages: 10, bytes: 10_000 };

const anyPeer = (isStatic = false) =>
  new Peer(
    nodeIdFromBytes(publicKeyFromPrivateKey(generatePrivateKey())),
    { host: '10.0.0.1', port: 1 },
    isStatic,
    new Outbox(LIMITS),
  );

/** A peer with so many messages that wait. */
function waitingPeer(messages: number): Peer {
  const peer = anyPeer();
  for (let put = 0; put < messages; put++)
    peer.outbox.put({ kind: 'transaction', payload: new Uint8Array(1) });
  return connected(peer);
}

function connected(peer: Peer): Peer {
  peer.connection = {} as PeerConnection;
  return peer;
}

/** Metrics of peers of which as many as have a label of their own are known. */
function fullMetrics(isTrusted?: (nodeId: NodeId) => boolean) {
  const labels = new Set<string>();
  const waiting = new Map<string, number>();
  const metrics: Metrics = {
    ...silentMetrics,
    counter: () => ({
      increment: (values) => void labels.add(values?.peer ?? ''),
      series: () => ({ increment: () => undefined }),
    }),
    gauge: () => ({ set: (value, values) => void waiting.set(values?.peer ?? '', value) }),
  };
  const reports = new PeerMetrics(metrics, isTrusted);
  const first = anyPeer();
  for (const peer of [first, ...Array.from({ length: 63 }, () => anyPeer())]) reports.onReceived(peer, 1);
  return { reports, first, labels, waiting };
}

describe('metrics of peers', () => {
  it('have a bounded number of labels, however many strangers connect', () => {
    const { reports, first, labels } = fullMetrics();
    for (let count = 0; count < 100; count++) reports.onReceived(anyPeer(), 1);
    expect(labels.size).toBe(65);
    expect(labels).toContain(first.shortId);
    expect(labels).toContain('other');
  });

  it('have a label of each configured peer, however many strangers came before', () => {
    const trusted = anyPeer();
    const { reports, labels } = fullMetrics((nodeId) => nodeId === trusted.nodeId);
    const own = [anyPeer(true), trusted];
    for (const peer of own) reports.onSent(peer, 1);
    expect([...labels].slice(64)).toEqual(own.map(({ shortId }) => shortId));
    reports.onSent(anyPeer(), 1);
    expect([...labels].slice(66)).toEqual(['other']);
  });

  it('have the sum of what waits for the peers without a label of their own', () => {
    const { reports, waiting } = fullMetrics();
    reports.report([waitingPeer(2), waitingPeer(3)], 0);
    expect(waiting.get('other')).toBe(5);
  });

  it('say that nothing waits for a peer that has left', () => {
    const { reports, waiting, first } = fullMetrics();
    const [other, left] = [waitingPeer(2), waitingPeer(3)];
    first.outbox.put({ kind: 'transaction', payload: new Uint8Array(1) });
    reports.report([connected(first), other, left], 0);
    expect([waiting.get(first.shortId), waiting.get('other')]).toEqual([1, 5]);
    first.connection = undefined;
    reports.report([first, other], 0);
    expect([waiting.get(first.shortId), waiting.get('other')]).toEqual([0, 2]);
    reports.report([], 0);
    expect([waiting.get(first.shortId), waiting.get('other')]).toEqual([0, 0]);
  });
});

describe('a line that is logged once', () => {
  it('is logged again only after it is forgotten', () => {
    const lines: string[] = [];
    const log = new OnceLog({ ...silentLogger, warn: (message) => void lines.push(message) });
    const say = (about: string, topic: string) =>
      log.warn(about, topic, { message: `${topic} ${about}`, values: {} });
    say('a', 'late');
    say('a', 'late');
    say('b', 'late');
    say('a', 'wrong');
    log.forget('a', 'late');
    say('a', 'late');
    expect(lines).toEqual(['late a', 'late b', 'wrong a', 'late a']);
  });
});
