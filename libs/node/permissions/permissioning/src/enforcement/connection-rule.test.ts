import { describe, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { nodeIdFromBytes, type ConnectionRequest } from '@tetrad/node-peer';
import { PermissionRecords } from '../records/permission-records.js';
import { connectionRejection, connectionRule } from './connection-rule.js';

const idOf = (seed: number) => nodeIdFromBytes(publicKeyFromPrivateKey(Buffer.alloc(32, seed)));
const request = (seed: number, host = '10.0.0.1'): ConnectionRequest => ({
  nodeId: idOf(seed),
  host,
  port: 5,
  direction: 'inbound',
});

/** Node 1 approved at 10.0.0.1, node 2 deactivated, node 3 listed in the files, others not listed. */
function rule(
  model: 'v1' | 'v2',
  { isEnforced = true, networkBoot = true, hasCaughtUp = true, host = '10.0.0.1' } = {},
) {
  const records = new PermissionRecords();
  const url = (seed: number) => `enode://${idOf(seed)}@${host}:21000?discport=0`;
  records.apply({ name: 'NodeApproved', orgId: 'A', url: url(1) });
  records.apply({ name: 'NodeApproved', orgId: 'A', url: url(2) });
  records.apply({ name: 'NodeDeactivated', orgId: 'A', url: url(2) });
  records.apply({ name: 'PermissionsInitialized', networkBoot });
  const lists = { allows: (nodeId: string) => nodeId === idOf(3) };
  return connectionRule({ view: { model, records, isEnforced, hasCaughtUp }, lists });
}
const allowed = (isAllowed: ReturnType<typeof rule>, host?: string) =>
  [1, 2, 3, 4].filter((seed) => isAllowed(request(seed, host)));

describe('nodes that may connect', () => {
  it.each(['v1', 'v2'] as const)('are those of the files until permissions are enforced (%s)', (model) => {
    expect(allowed(rule(model, { isEnforced: false }))).toEqual([3]);
  });

  it('are, until the network is set up, those of the files under the first model, and all under the second', () => {
    expect(allowed(rule('v1', { networkBoot: false }))).toEqual([3]);
    expect(allowed(rule('v2', { networkBoot: false }))).toEqual([1, 2, 3, 4]);
  });

  it.each(['v1', 'v2'] as const)('are approved nodes afterwards (%s)', (model) => {
    expect(allowed(rule(model))).toEqual([1]);
  });

  it('must have the host in the contracts under the second model', () => {
    expect(allowed(rule('v1'), '10.0.0.2')).toEqual([1]);
    expect(allowed(rule('v2'), '10.0.0.2')).toEqual([]);
    expect(allowed(rule('v2', { host: '[::1]' }), '::1')).toEqual([1]);
    expect(allowed(rule('v2', { host: 'node-1.example' }), 'node-1.example')).toEqual([1]);
  });

  it.each(['v1', 'v2'] as const)('include those of the files while the node catches up (%s)', (model) => {
    expect(allowed(rule(model, { hasCaughtUp: false }))).toEqual([1, 3]);
  });
});

it('a rejection names both nodes by their ends', () => {
  const [own, other] = [idOf(7), idOf(8)];
  expect(connectionRejection(own, request(8))).toBe(
    `permission denied: id=${own.slice(0, 4)}…${own.slice(-4)} INCOMING id=${other.slice(0, 4)}…${other.slice(-4)}`,
  );
  expect(connectionRejection(own, { ...request(8), direction: 'outbound' })).toContain(' OUTGOING ');
});
