import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import type { RunningNode } from '../../running-node.js';
import { addressOf, startOnChain } from '../../validator-chain.js';

describe('the original names', () => {
  let node: RunningNode;
  beforeAll(async () => {
    const flags = [
      '--rpc-alias',
      'istanbul=ibft,quorumPermission=chainPermission,eth_height=eth_blockNumber',
    ];
    node = await startOnChain({ engine: 'qbft', blocks: 'A, D:+E' }, flags);
  });
  afterAll(() => node.stop());

  it('of the signers of a block return the original keys, by number and by hash', async () => {
    const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x2', false]);
    const Committers = (['A', 'B', 'C'] as const).map(addressOf);
    const original = { Number: 2, Hash: hash, Author: addressOf('D'), Committers };
    expect(await node.result('istanbul_getSignersFromBlock', ['0x2'])).toEqual(original);
    expect(await node.result('istanbul_getSignersFromBlockByHash', [hash])).toEqual(original);
    expect(await node.result('ibft_getSignersFromBlockByHash', [hash])).toMatchObject({ number: 2, hash });
  });

  it('are modules too, where the aliased module is served', async () => {
    const modules = await node.result<Record<string, string>>('rpc_modules');
    expect(modules).toMatchObject({ ibft: '1.0', istanbul: '1.0' });
    expect(Object.keys(modules)).not.toContain('quorumPermission');
    expect(Object.keys(modules)).not.toContain('eth_height');
  });

  it('have traces in the form of GoQuorum, with memory unless the call says otherwise', async () => {
    // Stores 7 in memory and 9 in slot 1, and returns the word 7; under rules without PUSH0.
    const data = '0x6007600052600960015560206000f3';
    const traced = async (options: object) => {
      const trace = await node.result<{ structLogs: Record<string, unknown>[] }>('debug_traceCall', [
        { data },
        'latest',
        options,
      ]);
      validateExecutionApiResult('debug_traceCall', trace);
      return trace;
    };
    const word = (value: number) => value.toString(16).padStart(64, '0');
    const trace = await traced({});
    expect(trace).toMatchObject({ failed: false, returnValue: word(7) });
    expect(trace.structLogs.at(-1)).toMatchObject({ op: 'RETURN', storage: { [word(1)]: word(9) } });
    expect(trace.structLogs[2]).toEqual({
      pc: 4,
      op: 'MSTORE',
      gas: expect.any(Number) as unknown,
      gasCost: 6,
      depth: 1,
      stack: [word(7), word(0)],
      memory: [word(0)],
      storage: {},
    });
    const less = await traced({ disableMemory: true, disableStack: true, disableStorage: true });
    expect(Object.keys(less.structLogs[2] ?? {})).toEqual(['pc', 'op', 'gas', 'gasCost', 'depth']);
    const failing = await node.result('debug_traceCall', [{ data: '0x50' }, 'latest', {}]);
    expect(failing).toMatchObject({ failed: true, returnValue: '', structLogs: [{ op: 'POP', error: {} }] });
  });

  it('are in errors as the client wrote them', async () => {
    expect((await node.call('istanbul_nothing')).error).toMatchObject({
      code: -32601,
      message: 'the method istanbul_nothing does not exist/is not available',
    });
    expect((await node.call('quorumPermission_orgList')).error?.message).toContain(
      'quorumPermission_orgList',
    );
  });
});
