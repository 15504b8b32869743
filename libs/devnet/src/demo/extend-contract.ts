import { loadToken } from '@tetrad/testkit';
import { Contract, ContractFactory, getBytes, keccak256 } from 'ethers';
import type { Endpoints } from '../network/endpoints.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

type Node = Endpoints['nodes'][number];

const SUPPLY = 5_000n;
const GAS = '0x2dc6c0';

/** What the recipient's node has heard of a party. */
interface Heard {
  readonly ptmKey: string;
  readonly answer: string;
  readonly codeHash?: string;
  readonly storageRoot?: string;
}

/** Extends a contract of nodes 0 and 1 to node 2, which first inspects what the nodes of both sign. */
export async function extendContract(context: DemoContext): Promise<string> {
  const [first, second, third] = context.network.endpoints.nodes;
  if (first === undefined || second === undefined || third === undefined || first.ptm === null)
    return 'skipped: an extension needs three nodes with private transaction managers';
  const { contract, balance } = await createContract(context, first, second);
  const management = await offer(contract, first, third);
  const heard = await inspect(contract, third, [first, second]);
  const codeHash = keccak256((await callRpc(first.rpc, 'eth_getCode', [contract, 'latest'])) as string);
  const [storageRoot] = new Set(heard.map((one) => one.storageRoot));
  assert(
    heard.every((one) => one.codeHash === codeHash && one.storageRoot === storageRoot),
    'the parties do not sign the same state',
  );
  await approve(management, third, first);
  const read = async ({ rpc }: Node) => callRpc(rpc, 'eth_call', [{ to: contract, data: balance }, 'latest']);
  await eventually(
    `${third.name} does not read the contract`,
    async () => BigInt((await read(third)) as string) === SUPPLY,
  );
  return (
    `a contract of ${first.name} and ${second.name} was offered to ${third.name}, whose node showed before the approval that ` +
    `${first.name} states and ${second.name} confirms storage root ${storageRoot}; approved, ${third.name} reads it`
  );
}

/** @returns contract; balance — call data that reads the balance of its creator */
async function createContract({ payloads }: DemoContext, creator: Node, other: Node) {
  const { abi, bytecode } = await loadToken();
  const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction(
    'Shared',
    'SHR',
    SUPPLY,
  );
  payloads.push(getBytes(data));
  const from = accountOf(creator);
  const privateFor = [other.ptmKey];
  const hash = await callRpc(creator.rpc, 'eth_sendTransaction', [{ from, data, privateFor, gas: GAS }]);
  let contract = '';
  await eventually('the contract is not created', async () => {
    const receipt = await callRpc(other.rpc, 'eth_getTransactionReceipt', [hash]);
    contract = (receipt as { readonly contractAddress: string }).contractAddress;
    return true;
  });
  const balance = new Contract(contract, [...abi]).interface.encodeFunctionData('balanceOf', [from]);
  return { contract, balance };
}

/** @returns the management contract, once the recipient lists it */
async function offer(contract: string, initiator: Node, recipient: Node): Promise<string> {
  const txArgs = { from: accountOf(initiator), privateFor: [recipient.ptmKey] };
  const params = [contract, recipient.ptmKey, accountOf(recipient), txArgs];
  await callRpc(initiator.rpc, 'chainExtension_extendContract', params);
  let management: string | undefined;
  await eventually(`${recipient.name} is not offered the contract`, async () => {
    const active = await callRpc(recipient.rpc, 'chainExtension_activeExtensionContracts', []);
    const listed = active as { contractExtended: string; managementContractAddress: string }[];
    management = listed.find((one) => one.contractExtended === contract)?.managementContractAddress;
    return management !== undefined;
  });
  return management as string;
}

/**
 * Until all parties have answered.
 * @returns what they signed
 */
async function inspect(contract: string, recipient: Node, parties: readonly Node[]): Promise<Heard[]> {
  let heard: Heard[] = [];
  await eventually('the parties do not confirm the contract', async () => {
    const inspected = await callRpc(recipient.rpc, 'chainExtension_inspect', [contract]);
    heard = (inspected as { extensions: { heard?: Heard[] }[] }).extensions[0]?.heard ?? [];
    const answers = parties.map(({ ptmKey }) => heard.find((one) => one.ptmKey === ptmKey)?.answer);
    return answers[0] === 'stated' && answers.slice(1).every((answer) => answer === 'confirmed');
  });
  return heard;
}

async function approve(management: string, recipient: Node, initiator: Node): Promise<void> {
  const txArgs = { from: accountOf(recipient), privateFor: [initiator.ptmKey] };
  await callRpc(recipient.rpc, 'chainExtension_approveExtension', [management, true, txArgs]);
  await eventually('the extension does not end', async () => {
    const status = await callRpc(recipient.rpc, 'chainExtension_getExtensionStatus', [management]);
    return status === 'DONE';
  });
}

function accountOf({ accounts, name }: Node): string {
  const [account] = accounts;
  if (account === undefined) throw new Error(`${name} has no account`);
  return account;
}
