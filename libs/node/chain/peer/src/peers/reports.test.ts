import { describe, expect, it } from '@jest/globals';
import { generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { silentLogger, silentMetrics, type Metrics } from '@tetrad/types';
import { nodeIdFromBytes } from '../identity/node-id.js';
import { Outbox } from '../sending/outbox.js';
import { OnceLog } from './once-log.js';
import { PeerMetrics } from './peer-metrics.js';
import { Peer } from './peer.js';

const anyPeer = () =>
  new Peer(
    nodeIdFromBytes(publicKeyFromPrivateKey(generatePrivateKey())),
    { host: '10.0.0.1', port: 1 },
    false,
    new Outbox({ messages: 1, bytes: 1 }),
  );

describe('metrics of peers', () => {
  it('have a bounded number of labels, however many peers connect', () => {
    const labels = new Set<string>();
    const metrics: Metrics = {
      ...silentMetrics,
      counter: () => ({
        increment: (values) => void labels.add(values?.peer ?? ''),
        series: () => ({ increment: () => undefined }),
      }),
    };
    const reports = new PeerMetrics(metrics);
    const first = anyPeer();
    reports.onSent(first, 1);
    for (let count = 0; count < 100; count++) reports.onReceived(anyPeer(), 1);
    expect(labels.size).toBe(65);
    expect(labels).toContain(first.shortId);
    expect(labels).toContain('other');
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
