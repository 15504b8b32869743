import { describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { nodeIdFromBytes } from './node-id.js';
import { OwnKeyElsewhere } from './own-key-elsewhere.js';

const nodeId = nodeIdFromBytes(publicKeyFromPrivateKey(new Uint8Array(32).fill(7)));
const DUPLICATE = { nodeId, isOwn: true, addresses: ['10.0.0.7:30303'] };

/** The watch, with the time and the log of the test. */
function watch() {
  const state = { now: 1_000 };
  const errors: string[] = [];
  const elsewhere = new OwnKeyElsewhere(
    { now: () => state.now },
    { error: (text: string) => void errors.push(text) },
  );
  return { elsewhere, errors, state };
}

describe('a node whose key is used by another running node', () => {
  it('is in trouble for a minute after it was noticed last', () => {
    const { elsewhere, errors, state } = watch();
    expect(elsewhere.trouble()).toBeUndefined();
    elsewhere.report(DUPLICATE);
    expect(errors).toEqual(['another running node has the key of this one']);
    expect(elsewhere.trouble()).toBe('another running node at 10.0.0.7:30303 has the key of this one');
    state.now += 60_000;
    expect(elsewhere.trouble()).toBeDefined();
    state.now += 1;
    expect(elsewhere.trouble()).toBeUndefined();
  });

  it('is not in trouble by two others that have one key', () => {
    const { elsewhere, errors } = watch();
    elsewhere.report({ ...DUPLICATE, isOwn: false });
    expect(errors).toEqual(['two running nodes have one key']);
    expect(elsewhere.trouble()).toBeUndefined();
  });

  it('reports the other address as far as it is known', () => {
    const { elsewhere } = watch();
    elsewhere.report({ ...DUPLICATE, addresses: [] });
    expect(elsewhere.trouble()).toBe('another running node has the key of this one');
  });
});
