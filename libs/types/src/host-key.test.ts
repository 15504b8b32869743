import { expect, it } from '@jest/globals';
import { hostKey } from './host-key.js';

it.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['node.example', 'node.example'],
  ['', ''],
])('the key of the host at %s is %s', (address, key) => {
  expect(hostKey(address)).toBe(key);
});
