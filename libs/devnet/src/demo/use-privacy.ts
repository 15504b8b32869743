import { loadToken } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getBytes, getCreateAddress, hexlify } from 'ethers';
import { FUNDED_ACCOUNTS } from '../network/network-files.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';
import { sendMarked, sendPrivately, signPrivately, submit, type PrivateRequest } from './send-privately.js';

const SUPPLY = 1_000n;
const SENT = 40n;
const RECIPIENT = `0x${'9e'.repeat(20)}`;

interface Receipt {
  readonly status: string;
}

/**
 * Deploys a contract that nodes 0 and 1 are parties to, transfers behind a marker while the manager of node 1 is down, and
 * starts that again.
 */
export async function usePrivacy(context: DemoContext): Promise<string> {
  const [first, second, third] = context.network.endpoints.nodes;
  if (first === undefined || second === undefined || third === undefined || first.ptm === null)
    return 'skipped: private transactions need three nodes with private transaction managers';
  const wallet = new Wallet(hexlify((FUNDED_ACCOUNTS[2] as { privateKey: Uint8Array }).privateKey));
  const { abi, bytecode } = await loadToken();
  const request: Omit<PrivateRequest, 'nonce' | 'data'> = {
    wallet,
    through: first,
    privateFor: [second.ptmKey],
  };
  const nonce = Number(await callRpc(first.rpc, 'eth_getTransactionCount', [wallet.address, 'pending']));
  const creation = await new ContractFactory([...abi], bytecode).getDeployTransaction(
    'Secret',
    'SECRET',
    SUPPLY,
  );
  await receiptOn(second.rpc, await sendPrivately({ ...request, nonce, data: creation.data }));
  const token = getCreateAddress({ from: wallet.address, nonce });
  const contract = new Contract(token, [...abi]);
  const balance = contract.interface.encodeFunctionData('balanceOf', [RECIPIENT]);
  const balanceOn = async ({ rpc }: { rpc: string }) =>
    callRpc(rpc, 'eth_call', [{ to: token, data: balance }, 'latest']) as Promise<string>;
  const data = contract.interface.encodeFunctionData('transfer', [RECIPIENT, SENT]);
  for (const payload of [creation.data, data]) context.payloads.push(getBytes(payload));
  const { chainId } = context.network.endpoints;
  const marker = await sendMarked({ ...request, nonce: nonce + 1, to: token, data }, chainId);
  await receiptOn(first.rpc, marker);
  for (const node of [first, second])
    await eventually(
      `${node.name} does not see the transfer`,
      async () => BigInt(await balanceOn(node)) === SENT,
    );
  assert((await balanceOn(third)) === '0x', `${third.name}, which is not a party, can read the contract`);
  const paused = await withoutManager(context, { ...request, nonce: nonce + 2, to: token, data });
  for (const node of [first, second])
    await eventually(
      `${node.name} does not see the second transfer`,
      async () => BigInt(await balanceOn(node)) === 2n * SENT,
    );
  return (
    `a contract of nodes 0 and 1 at ${token} that node 2 cannot read; a transfer behind a marker that a plain wallet ` +
    `signed; ${paused}`
  );
}

/** While its manager is down, node 1 makes blocks and pauses before the private transaction; then it continues by itself. */
async function withoutManager({ network }: DemoContext, request: PrivateRequest): Promise<string> {
  const [, second] = network.endpoints.nodes;
  const manager = network.process('manager1');
  // A new payload for a manager that is down would be refused: it has this one already.
  const { raw } = await signPrivately(request);
  await manager.stop();
  const hash = await submit(request.through, raw);
  await receiptOn(request.through.rpc, hash);
  const from = Number(await callRpc(second?.rpc ?? '', 'eth_blockNumber', []));
  await eventually(
    'node 1 makes no blocks without its manager',
    async () => Number(await callRpc(second?.rpc ?? '', 'eth_blockNumber', [])) > from + 1,
  );
  await manager.start();
  return 'with the manager of node 1 down its chain grew, and back up it executed what it had missed';
}

async function receiptOn(url: string, hash: string): Promise<void> {
  await eventually(`${hash} is not mined`, async () => {
    const receipt = (await callRpc(url, 'eth_getTransactionReceipt', [hash])) as Receipt | null;
    assert(receipt === null || receipt.status === '0x1', `${hash} failed`);
    return receipt !== null;
  });
}
