import { loadToken } from '@tetrad/testkit';
import { ContractFactory, getBytes } from 'ethers';
import type { Endpoints } from '../network/endpoints.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

type Node = Endpoints['nodes'][number];

/** Party protection, mandatory recipients, state validation: each with a rule of its own. */
const FLAGS = [
  { privacyFlag: 1, name: 'party protection' },
  { privacyFlag: 2, name: 'mandatory recipients' },
  { privacyFlag: 3, name: 'state validation' },
] as const;
const GAS = '0x1e8480';

/** Deploys a contract of nodes 0 and 1 with each privacy flag, and has node 2 try to send to it. */
export async function usePrivacyFlags({ network, payloads }: DemoContext): Promise<string> {
  const [first, second, third] = network.endpoints.nodes;
  if (first === undefined || second === undefined || third === undefined || first.ptm === null)
    return 'skipped: privacy flags need three nodes with private transaction managers';
  const { abi, bytecode } = await loadToken();
  const factory = new ContractFactory([...abi], bytecode);
  const { data } = await factory.getDeployTransaction('Flagged', 'FLAG', 1_000n);
  payloads.push(getBytes(data));
  for (const { privacyFlag } of FLAGS) {
    const privacy = { privateFor: [second.ptmKey], privacyFlag };
    const mandatory = privacyFlag === 2 ? { mandatoryFor: [second.ptmKey] } : {};
    const address = await deploy(first, { data, ...privacy, ...mandatory });
    for (const node of [first, second]) await assertFlag(node, address, privacyFlag);
    const text = await rejectionOf(third, { to: address, data: '0x18160ddd', ...privacy, ...mandatory });
    assert(text.includes('contract not found'), `${third.name} is refused otherwise: ${text}`);
  }
  const names = FLAGS.map(({ name }) => name).join(', ');
  return `a contract of nodes 0 and 1 with each privacy flag (${names}); node 2 cannot send to any of them`;
}

/** @returns address of the contract */
async function deploy(node: Node, request: object): Promise<string> {
  const hash = await callRpc(node.rpc, 'eth_sendTransaction', [
    { from: node.accounts[0], gas: GAS, ...request },
  ]);
  let address = '';
  await eventually(`${String(hash)} is not mined`, async () => {
    const receipt = (await callRpc(node.rpc, 'eth_getTransactionReceipt', [hash])) as {
      readonly status: string;
      readonly contractAddress: string;
    } | null;
    assert(receipt === null || receipt.status === '0x1', `${String(hash)} failed`);
    address = receipt?.contractAddress ?? '';
    return receipt !== null;
  });
  return address;
}

/** The other node may be a block behind. */
async function assertFlag(node: Node, address: string, privacyFlag: number): Promise<void> {
  await eventually(`${node.name} does not know the contract ${address}`, async () => {
    const isThere = (await callRpc(node.rpc, 'eth_getCode', [address, 'latest'])) !== '0x';
    if (!isThere) return false;
    const metadata = await callRpc(node.rpc, 'eth_getContractPrivacyMetadata', [address]);
    const shown = (metadata as { privacyFlag: number }).privacyFlag;
    assert(shown === privacyFlag, `${node.name} shows flag ${shown} of ${address}, not ${privacyFlag}`);
    return true;
  });
}

/** @returns the error of a transaction that the node's own account sends */
async function rejectionOf(node: Node, request: object): Promise<string> {
  try {
    await callRpc(node.rpc, 'eth_sendTransaction', [{ from: node.accounts[0], gas: GAS, ...request }]);
  } catch (error) {
    return (error as Error).message;
  }
  return 'it is not refused';
}
