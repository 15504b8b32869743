import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startChildService } from '@tetrad/testkit';
import { CHAIN_ID, post } from './running-node.js';

/** Another client, to hold answers against; mines at once and asks nothing for gas. */
export interface Anvil {
  result<T>(method: string, params?: readonly unknown[]): Promise<T>;
  stop(): Promise<unknown>;
}

const BIN = join(import.meta.dirname, '../../../node_modules/.bin/anvil');

export async function startAnvil(): Promise<Anvil> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildService({
    name: 'anvil',
    command: BIN,
    args: [
      '--port',
      String(port),
      '--chain-id',
      String(CHAIN_ID),
      '--accounts',
      '0',
      '--base-fee',
      '0',
      '--gas-price',
      '0',
      '--silent',
    ],
    logFile: join(tmpdir(), `tetrad-anvil-${port}.log`),
    isReady: async () => (await post(url, 'eth_chainId', [])).result !== undefined,
  });
  return {
    async result<T>(method: string, params: readonly unknown[] = []) {
      const { result, error } = await post(url, method, params);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
    stop: () => child.stop(),
  };
}
