import { describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import { EMPTY_ROOT } from '@tetrad/node-block';
import { parseHash, type Hash, type Hex } from '@tetrad/types';
import type { SharedState } from '../extension/shared-state.js';
import { isWholeState } from './is-whole-state.js';

const CODE = Buffer.from('600160015500', 'hex');
const slot = (index: number): Hash => parseHash(`0x${index.toString(16).padStart(64, '0')}`);
const state = (changes: Partial<SharedState> = {}): SharedState => ({
  nonce: 1n,
  balance: 0n,
  code: CODE,
  codeHash: keccakHash(CODE),
  storage: new Map(),
  storageRoot: EMPTY_ROOT,
  ...changes,
});
/** Known of Ethereum: the storage root of a contract that holds 1 in slot 0 alone. */
const ONE = new Map<Hash, Hex>([[slot(0), '0x01']]);
const ROOT_OF_ONE = parseHash('0x821e2556a290c86405f8160a2d662042a431ba456b9db265c79bb837c04be5f0');

describe('a contract that came from another party', () => {
  it('is whole when its hashes are those of its code and slots', () => {
    expect(isWholeState(state())).toBe(true);
    expect(isWholeState(state({ storage: ONE, storageRoot: ROOT_OF_ONE }))).toBe(true);
  });

  it.each<[string, Partial<SharedState>]>([
    ['another code', { code: Buffer.from('00', 'hex') }],
    ['no code', { code: new Uint8Array(0), codeHash: keccakHash(new Uint8Array(0)) }],
    ['a slot too many', { storage: ONE }],
    ['a slot too few', { storageRoot: ROOT_OF_ONE }],
    ['another value', { storage: new Map([[slot(0), '0x02' as Hex]]), storageRoot: ROOT_OF_ONE }],
    ['another slot', { storage: new Map([[slot(1), '0x01' as Hex]]), storageRoot: ROOT_OF_ONE }],
    ['a slot with zero', { storage: new Map([[slot(0), '0x00' as Hex]]) }],
  ])('is not with %s', (_what, changes) => {
    expect(isWholeState(state(changes))).toBe(false);
  });
});
