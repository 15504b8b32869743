import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { describeOverlap, outgoingPorts } from './outgoing-ports.js';

const RANGE = { first: 32_768, last: 60_999 };
const onLinux = existsSync('/proc/sys/net/ipv4/ip_local_port_range') ? it : it.skip;

describe('ports of a network among those of outgoing connections', () => {
  onLinux('are known from the system', async () => {
    const range = await outgoingPorts();
    expect(range?.first).toBeGreaterThan(0);
    expect(range?.last).toBeGreaterThan(range?.first ?? 0);
  });

  it('are counted in a warning that says what to do', () => {
    expect(describeOverlap([32_767, 32_768, 60_999, 61_000], RANGE)).toMatch(
      /^2 of its ports are among .* \(32768 to 60999\): .*--port-base/,
    );
  });

  it('are none below the range, and where it is unknown', () => {
    expect(describeOverlap([22_000, 61_000], RANGE)).toBeUndefined();
    expect(describeOverlap([40_000], undefined)).toBeUndefined();
  });
});
