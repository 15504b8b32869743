import { describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import { ZERO_HASH } from '@tetrad/types';
import { SessionTable, type SessionEntry } from './session-table.js';
import { createLocalNode } from '../session/local-node.js';
import { Session, readSessionId } from '../session/session.js';
import { introduce } from '../session/introduce.js';
import { reachableEndpoint } from './reachable-endpoint.js';

describe('the endpoint of a node that connected by itself', () => {
  const remote = { host: '10.0.0.7', port: 40_000 };

  it.each([
    ['where it says', '10.1.1.1', remote.host, '10.1.1.1'],
    ['by the name that it says', 'node-1.example', remote.host, 'node-1.example'],
    ['where it came from when it says "here" and means there', '127.0.0.1', remote.host, '10.0.0.7'],
    ['where it came from when it says "anywhere"', '0.0.0.0', remote.host, '10.0.0.7'],
    ['where it came from, IPv6', '::1', '2001:db8::7', '2001:db8::7'],
    ['where it came from, IPv4 in IPv6', 'localhost', '::ffff:10.0.0.7', '10.0.0.7'],
    ['here when it is here', '127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['here when it is here, IPv4 in IPv6', '127.0.0.1', '::ffff:127.0.0.1', '127.0.0.1'],
  ])('is %s', (_, stated, from, expected) => {
    expect(reachableEndpoint({ host: stated, port: 21_000 }, { host: from, port: 40_000 })).toEqual({
      host: expected,
      port: 21_000,
    });
  });
});

describe('sessions that were not used yet', () => {
  const local = createLocalNode({
    key: signingKeyOf(new Uint8Array(32).fill(5)),
    chainId: 1n,
    genesisHash: ZERO_HASH,
    name: '',
    endpoint: () => ({ host: '127.0.0.1', port: 1 }),
  });
  const introduction = introduce(local, { peerId: local.nodeId, ephemeral: new Uint8Array(64), nowMs: 0 });

  function unused(index: number, openedMs: number): SessionEntry & { isConfirmed: false } {
    const id = readSessionId(index.toString(16).padStart(32, '0'));
    if (id === undefined) throw new TypeError('not an id');
    const key = new Uint8Array(32);
    const session = new Session({ id, sending: key, receiving: key }, false, 'i', openedMs);
    return {
      isConfirmed: false,
      session,
      acquaintance: { session, introduction, version: 2, clockOffsetMs: 0 },
      endpoint: local.endpoint(),
    };
  }

  it('are bounded, and forgotten after a while', () => {
    const table = new SessionTable();
    for (let index = 0; index < 400; index++) table.expect(unused(index, 0), 0);
    expect(table.size).toBe(256);
    table.expect(unused(400, 20_000), 20_000);
    expect(table.size).toBe(1);
  });
});
