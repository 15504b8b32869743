/**
 * web3.js writes a stack to `Function` with its errors, so that this file has a realm of its own.
 * @jest-environment node
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  Wallet,
  WebSocketProvider,
  type InterfaceAbi,
} from 'ethers';
import { createPublicClient, createWalletClient, defineChain, http, parseAbi, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Web3 } from 'web3';
import type { RunningNode } from '../running-node.js';
import { startTokenChain, type TokenChain } from '../token-chain.js';

const root = join(import.meta.dirname, '../../../..');
const cast = join(root, 'node_modules/.bin/cast');

let chain: TokenChain;
let node: RunningNode;
let abi: InterfaceAbi;
beforeAll(async () => {
  chain = await startTokenChain();
  node = chain.node;
  abi = JSON.parse(chain.abi.formatJson()) as InterfaceAbi;
});
afterAll(() => node.stop());

const keyOf = (index: number) =>
  `0x${Buffer.from(node.owners[index]?.privateKey ?? []).toString('hex')}` as Hex;
const RECIPIENT = `0x${'ef'.repeat(20)}`;

describe('unmodified Ethereum clients', () => {
  it('ethers deploys, sends, waits, reads, filters and follows blocks', async () => {
    // ethers keeps answers for 250 ms, nonces too; the blocks here come faster than that.
    const provider = new JsonRpcProvider(node.url, undefined, { pollingInterval: 50, cacheTimeout: -1 });
    const wallet = new Wallet(keyOf(0), provider);
    const contract = await new ContractFactory(abi, chain.bytecode, wallet).deploy('Ethers', 'E', 1000n);
    await contract.waitForDeployment();
    const token = new Contract(await contract.getAddress(), abi, wallet);
    const sent = await token.getFunction('transfer')(RECIPIENT, 7n);
    const receipt = await sent.wait();
    expect(receipt.status).toBe(1);
    expect(await token.getFunction('balanceOf')(RECIPIENT)).toBe(7n);
    expect(await token.queryFilter('Transfer', 0)).toHaveLength(2);
    await expect(token.getFunction('transfer').staticCall(RECIPIENT, 10n ** 9n)).rejects.toThrow(
      /InsufficientBalance/,
    );
    const block = await provider.getBlock('latest', true);
    expect(block?.prefetchedTransactions).toBeDefined();
    expect((await provider.getFeeData()).gasPrice).toBe(0n);
    provider.destroy();
  });

  it('ethers follows blocks over WebSocket', async () => {
    const provider = new WebSocketProvider(node.webSocketUrl);
    const number = await new Promise<number>((done) => void provider.once('block', done));
    expect(number).toBeGreaterThan(0);
    await provider.destroy();
  });

  it('viem deploys, sends, waits, reads and watches the fees', async () => {
    const transport = http(node.url);
    const viemChain = defineChain({
      id: 1337,
      name: 'tetrad',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url] } },
    });
    const client = createPublicClient({ chain: viemChain, transport, pollingInterval: 50 });
    const wallet = createWalletClient({
      chain: viemChain,
      transport,
      account: privateKeyToAccount(keyOf(1)),
    });
    const erc20 = parseAbi([
      'constructor(string, string, uint256)',
      'function transfer(address, uint256) returns (bool)',
      'function balanceOf(address) view returns (uint256)',
    ]);
    const deployment = await wallet.deployContract({
      abi: erc20,
      bytecode: chain.bytecode as Hex,
      args: ['Viem', 'V', 1000n],
    });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployment });
    const address = contractAddress as Hex;
    const hash = await wallet.writeContract({
      address,
      abi: erc20,
      functionName: 'transfer',
      args: [RECIPIENT as Hex, 9n],
    });
    expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success');
    expect(
      await client.readContract({ address, abi: erc20, functionName: 'balanceOf', args: [RECIPIENT as Hex] }),
    ).toBe(9n);
    expect(await client.getLogs({ address, fromBlock: 0n })).toHaveLength(2);
    expect((await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })).reward).toHaveLength(2);
    expect((await client.getProof({ address, storageKeys: [] })).address).toBe(address);
    expect(await client.estimateFeesPerGas()).toBeDefined();
  });

  it('web3 sends, reads and finds events', async () => {
    const web3 = new Web3(node.url);
    const account = web3.eth.accounts.wallet.add(keyOf(2))[0];
    const contract = new web3.eth.Contract(abi as never);
    const options = { from: account?.address ?? '', gas: '2000000', gasPrice: '0' };
    const deployed = await contract
      .deploy({ data: chain.bytecode, arguments: ['Web3', 'W', 1000] as never })
      .send(options);
    await deployed.methods['transfer']?.(RECIPIENT, 11).send(options);
    expect(await deployed.methods['balanceOf']?.(RECIPIENT).call()).toBe(11n);
    expect(await deployed.getPastEvents('Transfer' as never, { fromBlock: 0 })).toHaveLength(2);
    expect((await web3.eth.getBlock('latest')).number).toBeGreaterThan(0n);
    expect(await web3.eth.getChainId()).toBe(1337n);
  });

  // The binary comes in a package per platform; without one for this platform there is nothing to run.
  (existsSync(cast) ? it : it.skip)('cast sends, calls, and reads receipts, blocks and logs', async () => {
    const run = async (...args: string[]) =>
      (
        await promisify(execFile)(cast, [args[0] as string, '--rpc-url', node.url, ...args.slice(1)])
      ).stdout.trim();
    const sent = JSON.parse(
      await run('send', '--json', '--private-key', keyOf(3), '--value', '5', RECIPIENT),
    ) as { status: string; transactionHash: string };
    expect(sent.status).toBe('0x1');
    expect(await run('balance', RECIPIENT)).toBe('5');
    expect(await run('call', chain.token, 'balanceOf(address)(uint256)', chain.holder)).toMatch(/^\d+/);
    expect(await run('receipt', sent.transactionHash, 'status')).toMatch(/1|true/);
    expect(await run('block', 'latest', '--field', 'number')).toMatch(/^\d+$/);
    const logs = await run('logs', '--from-block', '0', '--address', chain.token);
    expect(logs.toLowerCase()).toContain(chain.token);
    expect(await run('chain-id')).toBe('1337');
    expect(await run('gas-price')).toBe('0');
  });
});
