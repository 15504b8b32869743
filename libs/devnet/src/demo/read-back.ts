import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadToken } from '@tetrad/testkit';
import { Contract, JsonRpcProvider } from 'ethers';
import { createPublicClient, http, parseAbi } from 'viem';
import { Web3 } from 'web3';
import { ROOT } from '../paths.js';
import { assert, type DemoContext } from './demo-context.js';

const ERC20 = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Reads the same data with four unmodified client libraries. */
export async function readBack(context: DemoContext): Promise<string> {
  const readers = { ethers: readWithEthers, web3: readWithWeb3, viem: readWithViem, cast: readWithCast };
  for (const [name, read] of Object.entries(readers)) {
    for (const [address, value] of context.expected) {
      const balance = await read(context, address);
      assert(balance === value, `${name} reads ${balance} for ${address} instead of ${value}`);
    }
  }
  const logs = await countTransferLogs(context);
  assert(
    logs === context.transfers.length + 1,
    `there are ${logs} Transfer events instead of ${context.transfers.length + 1}`,
  );
  return `ethers, web3, viem and cast read the same ${context.expected.size} balances, and ${logs} Transfer events are found`;
}

async function readWithEthers({ nodeUrl, token }: DemoContext, address: string): Promise<bigint> {
  const provider = new JsonRpcProvider(nodeUrl);
  const { abi } = await loadToken();
  const balance = (await new Contract(token, [...abi], provider).getFunction('balanceOf')(address)) as bigint;
  provider.destroy();
  return balance;
}

async function readWithWeb3({ nodeUrl, token }: DemoContext, address: string): Promise<bigint> {
  const web3 = new Web3(nodeUrl);
  const { abi } = await loadToken();
  const contract = new web3.eth.Contract(abi as never, token);
  const balance: unknown = await contract.methods['balanceOf']?.(address).call();
  return BigInt(balance as bigint);
}

function readWithViem({ nodeUrl, token }: DemoContext, address: string): Promise<bigint> {
  const client = createPublicClient({ transport: http(nodeUrl) });
  return client.readContract({
    address: token as `0x${string}`,
    abi: ERC20,
    functionName: 'balanceOf',
    args: [address as `0x${string}`],
  });
}

async function readWithCast({ nodeUrl, token }: DemoContext, address: string): Promise<bigint> {
  const { stdout } = await promisify(execFile)(`${ROOT}node_modules/.bin/cast`, [
    'call',
    '--rpc-url',
    nodeUrl,
    token,
    'balanceOf(address)(uint256)',
    address,
  ]);
  return BigInt(stdout.trim().split(' ')[0] as string);
}

async function countTransferLogs({ nodeUrl, token }: DemoContext): Promise<number> {
  const provider = new JsonRpcProvider(nodeUrl);
  const { abi } = await loadToken();
  const events = await new Contract(token, [...abi], provider).queryFilter('Transfer', 0);
  provider.destroy();
  return events.length;
}
