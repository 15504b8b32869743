// What the examples share: the network of `./tetrad up --endpoints-file endpoints.json`, and a contract.
import { readFileSync } from 'node:fs';
import { createTetradClient } from '@tetrad/client';
import { parseAbi } from 'viem';

const endpoints = JSON.parse(readFileSync(process.env.ENDPOINTS ?? 'endpoints.json', 'utf8'));

/** The nodes, each with a client, the key of its transaction manager, and an account that it holds. */
export const members = await Promise.all(
  endpoints.nodes.map(async ({ rpc, ptmKey, accounts, enode }) => ({
    client: await createTetradClient({ url: rpc, pollingInterval: 200 }),
    account: accounts[0],
    ptmKey,
    enode,
  })),
);

export const { signer } = endpoints;

/** Stores a number; `set` refuses those above 1000. */
export const storage = {
  abi: parseAbi([
    'constructor(uint256 first)',
    'error TooLarge(uint256 limit)',
    'event Set(uint256 value)',
    'function value() view returns (uint256)',
    'function set(uint256 next)',
  ]),
  bytecode: readFileSync(process.env.STORAGE_BYTECODE ?? 'Storage.bin', 'utf8').trim(),
};

/** Deploys the contract for the first two members. Returns its address. */
export async function deployStorage(parameters = {}) {
  const [first, second] = members;
  const hash = await first.client.deployPrivateContract({
    ...storage,
    args: [42n],
    account: first.account,
    privateFor: [second.ptmKey],
    ...parameters,
  });
  const { contractAddress } = await first.client.waitForPrivateReceipt({ hash });
  return contractAddress;
}
