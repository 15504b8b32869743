import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { enodeOf } from '../../validator-network.js';

let first: RunningNode;
let second: RunningNode;
beforeAll(async () => {
  // The second follows: its key is not that of a validator.
  [first, second] = [
    await startNode(['--peer-exchange', 'false']),
    await startNode(['--peer-exchange', 'false'], { nodeKey: Buffer.alloc(32, 0x43) }),
  ];
});
afterAll(async () => {
  await first.stop();
  await second.stop();
});

const countOf = async (node: RunningNode) => Number(await node.result('net_peerCount'));

describe('peers of a node', () => {
  it('are added manually, listed on both sides, and provide the chain', async () => {
    expect([await countOf(first), await countOf(second)]).toEqual([0, 0]);
    expect(await second.result('net_listening')).toBe(true);
    expect(await second.result('admin_addPeer', [await enodeOf(first)])).toBe(true);
    await until(async () => (await countOf(first)) === 1 && (await countOf(second)) === 1);
    expect(await second.result('admin_peers')).toMatchObject([
      {
        enode: await enodeOf(first),
        caps: ['p2p/v1'],
        network: { inbound: false, static: true, trusted: true },
      },
    ]);
    expect(await first.result('admin_peers')).toMatchObject([{ network: { static: false } }]);
    const head = Number(await first.result('eth_blockNumber'));
    await until(async () => Number(await second.result('eth_blockNumber')) >= head);
    const ofBoth = await Promise.all(
      [first, second].map((node) => node.result('eth_getBlockByNumber', [`0x${head.toString(16)}`, false])),
    );
    expect(ofBoth[1]).toEqual(ofBoth[0]);
  });

  it('pass on transactions submitted to a follower', async () => {
    const [held] = second.accounts;
    const hash = await second.result<string>('eth_sendTransaction', [
      { from: held, to: held, value: '0x1', gas: '0x5208' },
    ]);
    expect((await first.mined(hash)).status).toBe('0x1');
    expect((await second.mined(hash)).status).toBe('0x1');
  });

  it('are removed', async () => {
    const url = await enodeOf(first);
    expect(await second.result('admin_removePeer', [url])).toBe(true);
    await until(async () => (await countOf(first)) === 0);
    expect(await second.result('admin_removePeer', [url])).toBe(false);
  });

  it('are not this node itself, and need an enode URL', async () => {
    expect(await first.result('admin_addPeer', [await enodeOf(first)])).toBe(false);
    for (const method of ['admin_addPeer', 'admin_removePeer']) {
      const answer = await first.call(method, ['enode://12@127.0.0.1:1']);
      expect(reasonOf(answer)).toBe('INVALID_ENODE');
      expect(answer.error?.message).toMatch(/^invalid enode: invalid public key/);
      expect((await first.call(method, [])).error).toMatchObject({ code: -32602, data: { field: 'url' } });
    }
  });
});

describe('a trusted peer', () => {
  let full: RunningNode;
  let friend: RunningNode;
  beforeAll(async () => {
    [full, friend] = [
      await startNode(['--peer-exchange', 'false', '--max-peers', '0']),
      await startNode(['--peer-exchange', 'false'], { nodeKey: Buffer.alloc(32, 0x44) }),
    ];
  });
  afterAll(async () => {
    await full.stop();
    await friend.stop();
  });

  const check = async (method: string, params: readonly unknown[]): Promise<void> => {
    const result = await full.result(method, params);
    validateExecutionApiResult(method, result);
    expect(result).toBe(true);
  };

  it('is accepted by a full node, unlike other peers', async () => {
    await friend.result('admin_addPeer', [await enodeOf(full)]);
    const trusted = await enodeOf(friend);
    await check('admin_addTrustedPeer', [trusted]);
    await until(async () => (await countOf(full)) === 1);
    expect(await full.result('admin_peers')).toMatchObject([{ network: { trusted: true, static: false } }]);
    await check('admin_removeTrustedPeer', [trusted]);
    expect(await full.result('admin_peers')).toMatchObject([{ network: { trusted: false } }]);
  });

  it.each(['admin_addTrustedPeer', 'admin_removeTrustedPeer'])(
    'is named by its enode URL: %s',
    async (method) => {
      expect(reasonOf(await full.call(method, ['enode://12@127.0.0.1:1']))).toBe('INVALID_ENODE');
    },
  );
});
