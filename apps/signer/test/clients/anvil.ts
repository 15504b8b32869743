import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startChildService } from '@tetrad/testkit';
import { CLIENT_CHAIN, clientAt, type ClientSetup, type EthereumClient } from './ethereum-client.js';

/**
 * Foundry's client; mines at once. A transaction that it checks before the one ahead of it is mined and queues after
 * that waits for ever, and so do all behind it: `txpool_status` then counts none pending and all of them queued.
 */
export async function startAnvil(bin: string, { owner }: ClientSetup): Promise<EthereumClient> {
  const port = await freePort();
  const client = clientAt(port);
  const child = await startChildService({
    name: 'anvil',
    command: join(bin, 'anvil'),
    args: [
      '--port',
      String(port),
      '--chain-id',
      String(CLIENT_CHAIN),
      '--accounts',
      '0',
      '--base-fee',
      '0',
      '--gas-price',
      '0',
      '--silent',
    ],
    logFile: join(tmpdir(), `tetrad-anvil-${port}.log`),
    isReady: async () => (await client.ask('eth_chainId')).result !== undefined,
  });
  await client.result('anvil_setBalance', [owner, '0x3635c9adc5dea00000']);
  return {
    ...client,
    async sendingAhead(work) {
      await client.result('evm_setAutomine', [false]);
      try {
        return await work();
      } finally {
        await client.result('evm_setAutomine', [true]);
        await client.result('evm_mine');
      }
    },
    stop: () => child.stop(),
  };
}
