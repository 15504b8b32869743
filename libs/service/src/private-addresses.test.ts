import { describe, expect, it } from '@jest/globals';
import { isPrivateAddress } from './private-addresses.js';

describe('addresses that are not public', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
  ])('%s', (address) => expect(isPrivateAddress(address)).toBe(true));
});

describe('public addresses', () => {
  it.each([
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '2a00::1',
  ])('%s', (address) => expect(isPrivateAddress(address)).toBe(false));

  it('nothing but a literal is checked', () => {
    expect(() => isPrivateAddress('localhost')).toThrow(TypeError);
  });
});
