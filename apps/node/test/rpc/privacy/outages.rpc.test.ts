import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  recordedBlocks,
  recording,
} from '../../../../../libs/node/privacy/private-state/test/recorded-chain.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { followerMetrics, startOnRecordedChain } from './recorded-node.js';
import { startRecordedManager, type RecordedManagerServer } from './recorded-manager-server.js';

const VALUE = '0x3fa4f245';
const { steps, blocks } = recording('private');
const stepOf = (name: string) => steps.find((step) => step.name === name);
const [publicBox, privateBox, change] = ['public box', 'standard private, parties 0 1', 'set by creator'].map(
  (name) => stepOf(name),
);
/** The block before the first private transaction. */
const before = Number(privateBox?.block) - 1;
const outsider = `0x${'99'.repeat(20)}`;
const read = { to: privateBox?.address, data: VALUE };
const rejection = 'PRIVATE_STATE_NOT_AVAILABLE';

/** What stands against stopping the next node. */
async function trouble({ opsUrl }: RunningNode): Promise<Readonly<Record<string, string>>> {
  const answer = (await (await fetch(`${opsUrl}/readyz/rollout`)).json()) as {
    notReady?: Readonly<Record<string, string>>;
  };
  return answer.notReady ?? {};
}

describe('a node whose manager is unavailable', () => {
  let manager: RecordedManagerServer;
  let node: RunningNode;
  beforeAll(async () => {
    manager = await startRecordedManager(steps, 0);
    manager.isUnavailable = true;
    const flags = ['--ptm-url', manager.url, '--private-state-wait', '20s'];
    node = await startOnRecordedChain('private', await recordedBlocks('private'), flags);
    await until(async () => 'privateState' in (await trouble(node)));
  });
  afterAll(async () => {
    await node?.stop();
    await manager?.close();
  });

  it('has started, and reports why and where private state stops', async () => {
    expect((await trouble(node))['privateState']).toMatch(
      new RegExp(
        `^paused before block ${before + 1}: private transaction manager is not ready: .+transaction 0x`,
      ),
    );
    expect((await trouble(node))['transactionManager']).toMatch(
      /^private transaction manager is not ready: /,
    );
    const head = Number(await node.result('eth_blockNumber'));
    expect(await followerMetrics(node)).toEqual([
      `node_follower_block_number{follower="private state"} ${before}`,
      `node_follower_lag_blocks{follower="private state"} ${head - before}`,
      'node_follower_paused{follower="private state"} 1',
    ]);
    expect((await fetch(`${node.opsUrl}/livez`)).ok).toBe(true);
  });

  it('is ready for the public calls of clients, and not for a rollout to go on', async () => {
    const answer = async (path: string) => {
      const response = await fetch(`${node.opsUrl}${path}`);
      return { status: response.status, ...((await response.json()) as object) };
    };
    const reasons = { privateState: expect.any(String), transactionManager: expect.any(String) };
    expect(await answer('/readyz')).toEqual({ status: 200, ready: true, notReady: {}, warnings: reasons });
    for (const path of ['/readyz/rollout', '/readyz/started', '/readyz/pod'])
      expect(await answer(path)).toEqual({ status: 503, ready: false, notReady: reasons });
  });

  it.each<[string, unknown[]]>([
    ['eth_call', [read]],
    ['eth_estimateGas', [read]],
    ['eth_createAccessList', [read]],
    ['eth_getCode', [privateBox?.address]],
    ['eth_getCode', [outsider]],
    ['eth_getStorageAt', [privateBox?.address, '0x0']],
    ['eth_getProof', [privateBox?.address, [], 'latest']],
    ['eth_storageRoot', [privateBox?.address]],
    ['debug_dumpAddress', [privateBox?.address, 'latest']],
    ['debug_privateStateRoot', ['latest']],
    ['debug_traceCall', [read]],
    ['debug_traceTransaction', [change?.hash]],
    ['debug_traceBlockByNumber', [change?.block]],
    ['eth_getTransactionReceipt', [change?.hash]],
    ['eth_getBlockReceipts', [change?.block]],
    ['eth_getContractPrivacyMetadata', [privateBox?.address]],
    ['eth_getLogs', [{ fromBlock: '0x0' }]],
    ['eth_getLogs', [{ fromBlock: '0x0', address: [publicBox?.address, privateBox?.address] }]],
  ])('refuses %s %j by name where the answer may be private', async (method, params) => {
    const answer = await node.call(method, params);
    expect([method, reasonOf(answer)]).toEqual([method, rejection]);
    expect(answer.error).toMatchObject({ code: -32002, data: { blockNumber: before } });
    expect(answer.error?.message).toContain(`private state is paused before block ${before + 1}: `);
  });

  it('answers public reads, and private ones before the block', async () => {
    const { address } = publicBox ?? {};
    expect(await node.result('eth_call', [{ to: address, data: VALUE }])).toMatch(/^0x0{62}/);
    expect(await node.result('eth_getCode', [address])).toMatch(/^0x60/);
    expect(await node.result('eth_getBalance', [outsider])).toBe('0x0');
    expect(await node.result('eth_getTransactionCount', [outsider, 'latest'])).toBe('0x0');
    expect(await node.result('eth_estimateGas', [{ to: outsider }])).toBe('0x5208');
    expect(await node.result('eth_getTransactionReceipt', [publicBox?.hash])).toMatchObject({
      status: '0x1',
    });
    expect(await node.result<unknown[]>('eth_getLogs', [{ fromBlock: '0x0', address }])).not.toEqual([]);
    expect(await node.result('eth_getCode', [privateBox?.address, `0x${before.toString(16)}`])).toBe('0x');
    expect(await node.result('debug_privateStateRoot', [before])).toMatch(/^0x56e81f17/);
    expect(await node.result('eth_getTransactionByHash', [change?.hash])).toMatchObject({
      hash: change?.hash,
    });
  });

  it('does not ask for payloads either', async () => {
    const payload = await node.call('eth_getChainPayload', [change?.transaction?.input]);
    expect(payload.error).toMatchObject({
      code: -32002,
      message: expect.stringMatching(/^private transaction manager is not ready: /),
      data: { reason: 'TRANSACTION_MANAGER_UNAVAILABLE' },
    });
  });

  it.each<[string, Partial<RecordedManagerServer>, RegExp]>([
    ['fails', { instead: { status: 500, body: 'broken' } }, /500 status: broken/],
    [
      'says 404 about something else',
      { instead: { status: 404, body: 'no such page' } },
      /404 status: no such page/,
    ],
    ['answers nonsense', { instead: { status: 200, body: '{"payload":1}' } }, /payload/],
    ['does not know privacy flags', { versions: ['1.0'] }, /does not support privacy enhancements/],
  ])('stays paused when the manager is back and %s', async (_what, state, reason) => {
    Object.assign(manager, { isUnavailable: false, instead: undefined, versions: ['2.1'], ...state });
    await until(async () => reason.test((await trouble(node))['privateState'] ?? ''));
    expect(await followerMetrics(node)).toContain(
      `node_follower_block_number{follower="private state"} ${before}`,
    );
  });

  it('continues by itself once the manager is well, and has missed nothing', async () => {
    const filter = await node.result('eth_newFilter', [{ fromBlock: '0x0' }]);
    expect(reasonOf(await node.call('eth_getFilterLogs', [filter]))).toBe(rejection);
    Object.assign(manager, {
      isUnavailable: false,
      instead: undefined,
      versions: ['1.0', '2.0', '2.1', '3.0'],
    });
    const last = blocks.at(-1);
    await until(async () => {
      const { result } = await node.call('debug_privateStateRoot', [last?.number]);
      return result === last?.privateRoots[0];
    });
    await until(async () => !('privateState' in (await trouble(node))));
    expect(await node.result('eth_call', [read, change?.block])).toBe(change?.values?.[0]?.result);
    expect(await followerMetrics(node)).toContain('node_follower_paused{follower="private state"} 0');
    expect(await node.result<unknown[]>('eth_getFilterLogs', [filter])).toEqual(
      await node.result('eth_getLogs', [{ fromBlock: '0x0' }]),
    );
  });
});

describe('a node without a manager', () => {
  let node: RunningNode;
  beforeAll(async () => {
    node = await startOnRecordedChain('private', await recordedBlocks('private'));
  });
  afterAll(() => node?.stop());

  it('sees public state only', async () => {
    expect(await node.result('eth_getCode', [privateBox?.address])).toBe('0x');
    expect(await node.result('eth_call', [read])).toBe('0x');
    expect(await node.result('eth_getTransactionReceipt', [stepOf('reverts')?.hash])).toMatchObject({
      status: '0x1',
      gasUsed: '0x0',
      logs: [],
      isPrivacyMarkerTransaction: false,
    });
    const { structLogs } = await node.result<{ structLogs: unknown[] }>('debug_traceTransaction', [
      change?.hash,
    ]);
    expect(structLogs).toEqual([]);
    const calls = await node.result('debug_traceTransaction', [change?.hash, { tracer: 'callTracer' }]);
    expect(calls).toMatchObject({ type: 'CALL', input: change?.transaction?.input });
    expect(calls).not.toHaveProperty('calls');
  });

  it.each([
    ['eth_getChainPayload', [change?.transaction?.input]],
    ['eth_getPrivateTransactionByHash', [change?.hash]],
    ['debug_privateStateRoot', ['latest']],
  ])('refuses %s, as it has no private state', async (method, params) => {
    expect((await node.call(method, params)).error).toMatchObject({
      message: 'PrivateTransactionManager is not enabled',
      data: { reason: 'PRIVACY_NOT_AVAILABLE' },
    });
  });

  it('has no private data of a contract or a marker', async () => {
    const metadata = await node.call('eth_getContractPrivacyMetadata', [privateBox?.address]);
    expect(metadata.error?.message).toBe(
      `${privateBox?.address?.slice(2)}: the provided address is not a private contract`,
    );
    expect(await node.result('eth_getPrivateTransactionReceipt', [change?.hash])).toBeNull();
    expect((await node.call('eth_storageRoot', [privateBox?.address])).error?.message).toBe(
      "can't find state object",
    );
  });

  it('is ready without private state', async () => {
    await until(async () => (await fetch(`${node.opsUrl}/readyz`)).ok);
    expect(await trouble(node)).not.toHaveProperty('privateState');
  });
});
