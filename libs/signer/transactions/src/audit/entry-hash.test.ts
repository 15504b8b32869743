import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AUDIT_START, hashAuditEntry } from './entry-hash.js';

const record = {
  timeMs: 1_700_000_000_000,
  caller: 'alice',
  key: '0x01',
  method: 'eth_sign',
  digest: Uint8Array.of(1, 2),
  decision: 'allowed',
  reason: '',
};

describe('the hash of an audit entry', () => {
  it('is that of the layout', () => {
    const preimage = [
      '00'.repeat(32),
      '0000000000000001',
      '0000018bcfe56800',
      `00000005${Buffer.from('alice').toString('hex')}`,
      `00000004${Buffer.from('0x01').toString('hex')}`,
      `00000008${Buffer.from('eth_sign').toString('hex')}`,
      '000000020102',
      'ffffffff',
      `00000007${Buffer.from('allowed').toString('hex')}`,
      '00000000',
    ].join('');
    const expected = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
    expect(Buffer.from(hashAuditEntry(record, 1, AUDIT_START.hash)).toString('hex')).toBe(expected);
  });

  it('distinguishes an absent field from an empty one, and one field from the next', () => {
    const hash = (changes: object) =>
      Buffer.from(hashAuditEntry({ ...record, ...changes }, 1, AUDIT_START.hash)).toString('hex');
    const hashes = [{}, { transaction: '' }, { digest: undefined }, { caller: 'alice0', key: 'x01' }].map(
      hash,
    );
    expect(new Set(hashes).size).toBe(4);
  });
});
