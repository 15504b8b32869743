import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';
import { JsonRpcProvider, Wallet } from 'ethers';
import { Web3 } from 'web3';

let folder: string;
let network: Network;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-clients-'));
  const base = await freePorts(4 * PORTS_PER_NODE);
  network = await startNetwork(
    parseNetworkOptions([
      ...['--data-dir', folder, '--services', 'node', '--consensus', 'ibft'],
      ...['--port-base', String(base)],
    ]),
  );
}, 900_000);
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

const RECIPIENT = `0x${'ab'.repeat(20)}`;

describe('a network of four validators of which one is down', () => {
  it('serves ethers and web3 through any of the others, and the fourth catches up', async () => {
    const [first, second, third, fourth] = network.nodes;
    await fourth?.kill();
    const [ethersAccount, web3Account] = network.endpoints.funded;
    let sent = 0n;
    for (const node of [first, second, third]) {
      const provider = new JsonRpcProvider(node?.rpc, undefined, { polling: true, pollingInterval: 200 });
      const wallet = new Wallet(ethersAccount?.privateKey ?? '', provider);
      const response = await wallet.sendTransaction({ to: RECIPIENT, value: 1n, gasPrice: 0 });
      expect((await response.wait())?.status).toBe(1);
      provider.destroy();

      const web3 = new Web3(node?.rpc);
      const account = web3.eth.accounts.wallet.add(web3Account?.privateKey ?? '')[0];
      const receipt = await web3.eth.sendTransaction({
        ...{ from: account?.address ?? '', to: RECIPIENT, value: 1n, gas: 21_000n, gasPrice: 0n },
      });
      expect(receipt.status).toBe(1n);
      sent += 2n;
      expect(await web3.eth.getBalance(RECIPIENT)).toBe(sent);
    }
    await fourth?.start();
    const late = new Web3(fourth?.rpc);
    while ((await late.eth.getBalance(RECIPIENT)) !== sent)
      await new Promise((tick) => setTimeout(tick, 200));
  }, 900_000);
});
