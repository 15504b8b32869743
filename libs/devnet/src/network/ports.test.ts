import { describe, expect, it } from '@jest/globals';
import {
  PORTS_PER_NODE,
  consolePorts,
  managerPorts,
  nodePorts,
  rollupOperatorPorts,
  signerPorts,
  thirdPartyPort,
  walletPorts,
} from './ports.js';

const BASE = 20_000;

describe('the ports of a network', () => {
  it.each([1, 2, 3, 4, 8, 20])('of %s nodes and one that joins are all different, with a base', (nodes) => {
    const every = Array.from({ length: nodes }, (_, index) => [
      ...Object.values(nodePorts(BASE, index)),
      ...Object.values(managerPorts(BASE, index)),
      thirdPartyPort(BASE, { nodes, index }),
    ]).flat();
    const shared = [signerPorts, walletPorts, rollupOperatorPorts, consolePorts].flatMap((ports) => {
      const { rpc, ops } = ports(BASE);
      return [rpc, ops];
    });
    // A network of one has no node that joins beside the services of the second one.
    const joined =
      nodes === 1
        ? []
        : [...Object.values(nodePorts(BASE, nodes)), ...Object.values(managerPorts(BASE, nodes))];
    const all = [...every, ...shared, ...joined];
    expect(new Set(all).size).toBe(all.length);
    expect(Math.max(...all)).toBeLessThan(BASE + Math.max(nodes, 2) * PORTS_PER_NODE);
  });

  it('without a base are the documented ones', () => {
    expect(thirdPartyPort(undefined, { nodes: 4, index: 3 })).toBe(9_283);
  });
});
