/**
 * web3.js writes a stack to `Function` with its errors, so that this file has a realm of its own.
 * @jest-environment node
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PORTS_PER_NODE, freePorts, parseNetworkOptions, startNetwork, type Network } from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { JsonRpcProvider, Wallet } from 'ethers';
import { Web3 } from 'web3';

let folder: string;
let network: Network;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-clients-'));
  const base = await freePorts(4 * PORTS_PER_NODE);
  network = await startNetwork(
    parseNetworkOptions([
      '--data-dir',
      folder,
      '--services',
      'node',
      '--consensus',
      'ibft',
      '--block-period',
      '200',
      '--port-base',
      String(base),
    ]),
  );
}, 900_000);
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

const RECIPIENT = `0x${'ab'.repeat(20)}`;
const FUNDED = 10n ** 18n;

/** A node's answers about the account and the recipient, through ethers. */
async function readWithEthers(provider: JsonRpcProvider, account: string, hash: string): Promise<bigint> {
  expect(await provider.getTransactionCount(account)).toBeGreaterThan(0);
  expect(await provider.getBalance(account)).toBeGreaterThan(FUNDED);
  const receipt = await provider.getTransactionReceipt(hash);
  const block = await provider.getBlock(receipt?.blockHash ?? '', true);
  expect(block?.transactions).toContain(hash);
  expect((await provider.getTransaction(hash))?.to?.toLowerCase()).toBe(RECIPIENT);
  expect((await provider.getNetwork()).chainId).toBe(BigInt(network.endpoints.chainId));
  return provider.getBalance(RECIPIENT);
}

/** The same answers through web3. */
async function readWithWeb3(web3: Web3, account: string, hash: string): Promise<bigint> {
  expect(await web3.eth.getTransactionCount(account)).toBeGreaterThan(0n);
  expect(await web3.eth.getBalance(account)).toBeGreaterThan(FUNDED);
  const receipt = await web3.eth.getTransactionReceipt(hash);
  const block = await web3.eth.getBlock(receipt.blockHash);
  expect(block.transactions).toContain(hash);
  expect((await web3.eth.getTransaction(hash)).to).toBe(RECIPIENT);
  expect(await web3.eth.getChainId()).toBe(BigInt(network.endpoints.chainId));
  return web3.eth.getBalance(RECIPIENT);
}

describe('a network of four validators of which one is down', () => {
  it('serves ethers and web3 through any of the others, and the fourth catches up', async () => {
    const [fourth, ...others] = [...network.nodes].reverse();
    await fourth?.kill();
    const [ethersAccount, web3Account] = network.endpoints.funded;
    let sent = 0n;
    let last = '';
    for (const { rpc } of others.reverse()) {
      const web3 = new Web3(rpc);
      await until(async () => (await web3.eth.getBalance(RECIPIENT)) === sent);
      const provider = new JsonRpcProvider(rpc, undefined, { polling: true, pollingInterval: 200 });
      const wallet = new Wallet(ethersAccount?.privateKey ?? '', provider);
      const response = await wallet.sendTransaction({ to: RECIPIENT, value: 1n, gasPrice: 0 });
      expect((await response.wait())?.status).toBe(1);
      sent += 1n;
      expect(await readWithEthers(provider, wallet.address, response.hash)).toBe(sent);
      provider.destroy();

      const account = web3.eth.accounts.wallet.add(web3Account?.privateKey ?? '')[0];
      const receipt = await web3.eth.sendTransaction({
        from: account?.address ?? '',
        to: RECIPIENT,
        value: 1n,
        gas: 21_000n,
        gasPrice: 0n,
      });
      expect(receipt.status).toBe(1n);
      sent += 1n;
      last = String(receipt.transactionHash);
      expect(await readWithWeb3(web3, account?.address ?? '', last)).toBe(sent);
    }
    expect(others).toHaveLength(3);
    await fourth?.start();
    const late = new Web3(fourth?.rpc);
    await until(async () => (await late.eth.getBalance(RECIPIENT)) === sent);
    expect(await readWithWeb3(late, web3Account?.address ?? '', last)).toBe(sent);
  }, 900_000);
});
