import { describe, expect, it } from '@jest/globals';
import type { MayTransact, TransactionPlace } from '@tetrad/node-execution';
import { parseNodeId } from '@tetrad/node-peer';
import { silentLogger, silentMetrics, type Address } from '@tetrad/types';
import {
  ADMIN,
  DEACTIVATED_NODE,
  DENYLISTED_NODE,
  NEW_NODE,
  NODE,
  OTHER_ADMIN,
  POLICY,
  RECOVERING_NODE,
  STRANGER,
  bankRecords,
} from '../../test/bank-network.js';
import type { PermissionConfig } from '../config/permission-config.js';
import { isForbiddenMember } from './forbidden-member.js';
import { chainPermissions, nodePermissions } from './permission-rules.js';

const idOf = (url: string) => parseNodeId(url.slice(8, 136));
const configOf = (model: 'v1' | 'v2') => ({ ...POLICY, model }) as PermissionConfig;
const PLACE = { block: { number: 1, timestamp: 1 } } as TransactionPlace;
const transactionOf = (sender: Address) => ({ sender, to: ADMIN, data: new Uint8Array(0) });

describe('the rules of a chain', () => {
  const chain = {
    genesis: { chainId: 1n, permissioningBlock: 10, consensus: { transitions: [] } },
    executor: {
      rules() {
        throw new Error('the contracts are asked');
      },
    },
  } as unknown as Parameters<typeof chainPermissions>[1];

  it('check nothing without contracts', () => {
    expect(chainPermissions(undefined, chain)).toEqual({ ofBlocks: undefined, behindMarkers: undefined });
  });

  it('check what is behind markers under the first model, and no blocks', () => {
    const { ofBlocks, behindMarkers } = chainPermissions(configOf('v1'), chain);
    expect([ofBlocks, typeof behindMarkers]).toEqual([undefined, 'function']);
  });

  it('check both under the second model, and keep answers apart', () => {
    const { ofBlocks, behindMarkers } = chainPermissions(configOf('v2'), chain);
    expect(ofBlocks).toBeDefined();
    expect(behindMarkers).not.toBe(ofBlocks);
  });

  it('ask nothing before the block from which permissions are enforced', () => {
    const { ofBlocks, behindMarkers } = chainPermissions(configOf('v2'), chain);
    for (const rule of [ofBlocks, behindMarkers])
      expect(rule?.(transactionOf(STRANGER), PLACE)).toBeUndefined();
  });
});

describe('the rules of a node', () => {
  const refused = { reason: 'ACCOUNT_NOT_PERMITTED', message: 'by the contracts' };
  const ofBlocks: MayTransact = () => refused;

  function rules(model: 'v1' | 'v2' | undefined, isInForce = true) {
    const state = { isEnforced: isInForce, isInForce, hasCaughtUp: true };
    return nodePermissions(
      {
        view: model && { ...state, model, config: configOf(model), records: bankRecords() },
        lists: { allows: (nodeId) => nodeId === idOf(NEW_NODE) },
        ownId: idOf(NODE),
        ofBlocks: model === 'v2' ? ofBlocks : undefined,
      },
      { logger: silentLogger, metrics: silentMetrics },
    );
  }
  const request = (url: string) =>
    ({ nodeId: idOf(url), host: '10.0.0.1', port: 1, direction: 'inbound' }) as const;

  it('are the lists of nodes alone without contracts', () => {
    const { isAllowed, mayEnterPool, submissionBarrier } = rules(undefined);
    expect([isAllowed(request(NEW_NODE)), isAllowed(request(NODE))]).toEqual([true, false]);
    expect([mayEnterPool, submissionBarrier]).toEqual([undefined, undefined]);
  });

  it('let into the pool, under the first model, whom the records permit', () => {
    const { mayEnterPool } = rules('v1');
    expect(mayEnterPool?.(transactionOf(ADMIN), PLACE)).toBeUndefined();
    expect(mayEnterPool?.(transactionOf(STRANGER), PLACE)).toMatchObject({
      reason: 'ACCOUNT_NOT_PERMITTED',
      data: { rule: expect.any(String) },
    });
  });

  it('let into the pool, under the second model, what blocks take, and name the rule', () => {
    expect(rules('v2').mayEnterPool?.(transactionOf(ADMIN), PLACE)).toEqual({
      ...refused,
      data: { rule: 'CONTRACTS_DIFFER' },
    });
  });

  it.each(['v1', 'v2'] as const)('take nothing from clients of another organization (%s)', (model) => {
    expect(rules(model).submissionBarrier?.(OTHER_ADMIN)?.reason).toBe('NODE_NOT_PERMITTED');
    expect(rules(model, false).submissionBarrier?.(OTHER_ADMIN)).toBeUndefined();
  });
});

describe('a member of the raft cluster', () => {
  it.each([
    ['deactivated', DEACTIVATED_NODE, true],
    ['denylisted', DENYLISTED_NODE, true],
    ['recovering', RECOVERING_NODE, true],
    ['approved', NODE, false],
    ['without entries', NEW_NODE, false],
  ])('that is %s', (_status, url, isForbidden) => {
    expect(isForbiddenMember(bankRecords(), idOf(url))).toBe(isForbidden);
  });

  it('is kept while another entry of it is approved', () => {
    const records = bankRecords();
    const moved = DENYLISTED_NODE.replace('10.0.0.3', '10.9.9.9');
    records.apply({ name: 'NodeApproved', orgId: 'FULL', url: moved });
    expect(records.nodesNamed(idOf(DENYLISTED_NODE))).toHaveLength(2);
    expect(isForbiddenMember(records, idOf(DENYLISTED_NODE))).toBe(false);
  });
});
