import { expect, it } from '@jest/globals';
import { shareOwner } from './share-owner.js';

it.each([
  [{ address: '10.0.0.7' }, { address: '::ffff:10.0.0.7' }],
  [{ address: '2001:db8:0:1::7' }, { address: '2001:DB8:0:0001:ffff:ffff:ffff:ffff' }],
  [{ address: '::1' }, { address: '0:0:0:0:0:0:0:1' }],
  [
    { subject: 'ops', address: '10.0.0.7' },
    { subject: 'ops', address: '10.0.0.8' },
  ],
])('%j and %j have one share', (one, other) => {
  expect(shareOwner(one)).toBe(shareOwner(other));
});

it.each([
  [{ address: '10.0.0.7' }, { address: '10.0.0.8' }],
  [{ address: '2001:db8:0:1::7' }, { address: '2001:db8:0:2::7' }],
  [{ address: '2001:db8::1:0:0:7' }, { address: '2001:db8:0:1::7' }],
  [{ subject: '10.0.0.7' }, { address: '10.0.0.7' }],
  [
    { subject: 'ops', address: '10.0.0.7' },
    { subject: 'web', address: '10.0.0.7' },
  ],
])('%j and %j have separate shares', (one, other) => {
  expect(shareOwner(one)).not.toBe(shareOwner(other));
});
