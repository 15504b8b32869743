import { describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { EnodeError, formatEndpoint, formatEnode, parseEnode } from './enode.js';

const ID = Buffer.from(publicKeyFromPrivateKey(new Uint8Array(32).fill(1))).toString('hex');

describe('an enode URL', () => {
  it.each([
    ['an IPv4 address', `enode://${ID}@10.1.2.3:21000`, { host: '10.1.2.3', port: 21000 }],
    ['a name', `enode://${ID}@node-1.example:1`, { host: 'node-1.example', port: 1 }],
    ['an IPv6 address', `enode://${ID}@[2001:db8::1]:65535`, { host: '2001:db8::1', port: 65535 }],
    ['a discovery port', `enode://${ID}@10.1.2.3:21000?discport=0`, { discport: 0 }],
    [
      'both ports',
      `enode://${ID}@10.1.2.3:21000?discport=7&raftport=50400`,
      { discport: 7, raftport: 50400 },
    ],
  ])('with %s is read and written back', (_, text, expected) => {
    const enode = parseEnode(text);
    expect(enode).toMatchObject({ nodeId: ID, ...expected });
    expect(formatEnode(enode)).toBe(text);
  });

  it('is read in any letter case of the node id', () => {
    expect(parseEnode(`enode://${ID.toUpperCase()}@10.1.2.3:21000`).nodeId).toBe(ID);
  });

  it.each([
    ['invalid URL scheme, want "enode"', `http://${ID}@10.1.2.3:21000`],
    ['does not contain node ID', 'enode://10.1.2.3:21000'],
    ['does not contain node ID', 'enode://@10.1.2.3:21000'],
    ['invalid public key (wrong length, want 128 hex chars)', 'enode://abcd@10.1.2.3:21000'],
    ["invalid public key (encoding/hex: invalid byte: U+0067 'g')", `enode://${ID.slice(1)}g@10.1.2.3:21000`],
    ['invalid public key (encoding/hex: odd length hex string)', 'enode://abc@10.1.2.3:21000'],
    ['invalid public key (invalid secp256k1 public key)', `enode://${'11'.repeat(64)}@10.1.2.3:21000`],
    ['invalid port', `enode://${ID}@10.1.2.3`],
    ['invalid port', `enode://${ID}@10.1.2.3:0`],
    ['invalid port', `enode://${ID}@10.1.2.3:65536`],
    ['invalid port', `enode://${ID}@10.1.2.3:2x`],
    ['invalid host', `enode://${ID}@:21000`],
    ['invalid host', `enode://${ID}@10.1.2:21000`],
    ['invalid host', `enode://${ID}@[10.1.2.3]:21000`],
    ['invalid host', `enode://${ID}@a_b!:21000`],
    ['invalid discport in query', `enode://${ID}@10.1.2.3:21000?discport=x`],
    ['invalid raftport in query', `enode://${ID}@10.1.2.3:21000?raftport=0`],
    [
      'invalid query: only discport and raftport may be given, each once',
      `enode://${ID}@10.1.2.3:21000?port=1`,
    ],
    [
      'invalid query: only discport and raftport may be given, each once',
      `enode://${ID}@10.1.2.3:21000?discport=1&discport=2`,
    ],
    ['invalid enode URL', `enode://${ID}@10.1.2.3:21000/path`],
    ['invalid enode URL', `enode://${ID}@10.1.2.3:21000#fragment`],
    ['invalid enode URL', `enode://${ID}@${'a'.repeat(500)}:21000`],
  ])('is refused as "%s": %s', (message, text) => {
    expect(() => parseEnode(text)).toThrow(new EnodeError(message));
  });
});

it('an endpoint is written with brackets only around IPv6', () => {
  expect(formatEndpoint({ host: '::1', port: 5 })).toBe('[::1]:5');
  expect(formatEndpoint({ host: 'node', port: 5 })).toBe('node:5');
});
