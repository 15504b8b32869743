import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicClient, http, parseAbiItem } from 'viem';
import { startTokenChain, type TokenChain } from '../token-chain.js';

let chain: TokenChain;
beforeAll(async () => {
  chain = await startTokenChain();
});
afterAll(() => chain.node.stop());

describe('a viem client whose filter the node has forgotten', () => {
  it('creates a new one, and continues to receive events', async () => {
    const { node, abi, token, holder, owner } = chain;
    const filters: string[] = [];
    // The answers of the node as they come, to know which filter the client has.
    const onFetchResponse = async (response: Response) => {
      const { result } = (await response.clone().json()) as { result?: unknown };
      if (typeof result === 'string' && /^0x[0-9a-f]{32}$/.test(result)) filters.push(result);
    };
    const client = createPublicClient({
      transport: http(node.url, { onFetchResponse }),
      pollingInterval: 20,
    });
    const heard: bigint[] = [];
    const errors: unknown[] = [];
    const stop = client.watchEvent({
      address: token as `0x${string}`,
      event: parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)'),
      onLogs: (logs) => heard.push(...logs.map(({ args }) => args.value as bigint)),
      onError: (error) => errors.push(error),
    });
    const transfer = async (value: bigint) => {
      const data = abi.encodeFunctionData('transfer', [holder, value]);
      await node.mined(
        await node.result('eth_sendTransaction', [{ from: owner, to: token, data, gas: '0x186a0' }]),
      );
    };
    const until = async (condition: () => boolean | Promise<boolean>) => {
      while (!(await condition())) await new Promise((tick) => setTimeout(tick, 10));
    };
    await until(() => filters.length === 1);
    await transfer(7n);
    await until(() => heard.includes(7n));
    expect(await node.result('eth_uninstallFilter', [filters[0]])).toBe(true);
    await until(() => filters.length === 2);
    await transfer(8n);
    await until(() => heard.includes(8n));
    stop();
    // The client takes its filter away behind our back; the node must still be there for that.
    await until(async () => (await node.call('eth_getFilterChanges', [filters[1]])).error !== undefined);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain('filter not found');
  });
});
