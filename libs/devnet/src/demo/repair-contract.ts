import { loadToken } from '@tetrad/testkit';
import { Contract, ContractFactory } from 'ethers';
import type { Endpoints } from '../network/endpoints.js';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

type Node = Endpoints['nodes'][number];

const GAS = '0x1e8480';
const RECIPIENT = `0x${'7e'.repeat(20)}`;
const ALLOWED_SECONDS = 600;

interface Agreement {
  readonly parties: readonly { readonly ptmKey: string; readonly agreement: string }[];
}

interface Receipt {
  readonly status: string;
  readonly contractAddress: string | null;
}

/** A private token of three nodes. */
interface SharedToken {
  readonly address: string;
  readonly calls: Contract['interface'];
  readonly parties: readonly Node[];
}

/** A sender leaves a party out of a transaction; both see that they diverge, and the party repairs its contract from the sender's. */
export async function repairContract({ network }: DemoContext): Promise<string> {
  const parties = network.endpoints.nodes.slice(0, 3);
  const [first, second, third] = parties;
  if (first === undefined || second === undefined || third === undefined || first.ptm === null)
    return 'skipped: a repair needs three nodes with private transaction managers';
  const token = await deployToAll(parties);
  // Each sends to the others, who have its proof then that it has the contract.
  for (const party of parties) await transfer(token, party, parties);
  await transfer(token, first, [first, third]);
  // The party hears of what it was left out of by the results of the next one that it is sent.
  await transfer(token, first, parties);
  await balancesAre(token, [5, 4, 5]);
  await eventually('the divergence is not seen', async () => (await agreementOf(token)) === 'diverged');
  const head = await callRpc(first.rpc, 'eth_blockNumber', []);
  await callRpc(first.rpc, 'admin_allowContractRepair', [token.address, second.ptmKey, ALLOWED_SECONDS]);
  const order = {
    contract: token.address,
    from: first.ptmKey,
    agreeWith: [third.ptmKey],
    reason: 'left out',
  };
  await callRpc(second.rpc, 'admin_repairContract', [order]);
  await balancesAre(token, [5, 5, 5]);
  await transfer(token, first, parties);
  await balancesAre(token, [6, 6, 6]);
  await eventually('the parties do not agree again', async () => (await agreementOf(token)) === 'agreed');
  return `node 1 was left out of a private transaction: nodes 0 and 1 stated different results by block ${Number(head)}; node 1 repaired the contract from node 0, as node 2 confirmed, and all agree again`;
}

async function deployToAll(parties: readonly Node[]): Promise<SharedToken> {
  const [first] = parties as readonly [Node];
  const { abi, bytecode } = await loadToken();
  const creation = await new ContractFactory([...abi], bytecode).getDeployTransaction(
    'Shared',
    'SHARED',
    1_000n,
  );
  const { contractAddress } = await send(first, parties, { data: creation.data });
  assert(contractAddress !== null, 'the deployment made no contract');
  const { interface: calls } = new Contract(contractAddress, [...abi]);
  const token = { address: contractAddress, calls, parties };
  for (const party of parties.slice(1)) {
    const data = calls.encodeFunctionData('transfer', [party.accounts[0], 100n]);
    await send(first, parties, { to: contractAddress, data });
  }
  return token;
}

/** Sends one unit to the recipient. */
async function transfer(
  { address, calls }: SharedToken,
  from: Node,
  parties: readonly Node[],
): Promise<void> {
  await send(from, parties, { to: address, data: calls.encodeFunctionData('transfer', [RECIPIENT, 1n]) });
}

async function send(
  from: Node,
  parties: readonly Node[],
  request: { readonly to?: string; readonly data: string },
): Promise<Pick<Receipt, 'contractAddress'>> {
  const privateFor = parties.filter((party) => party !== from).map(({ ptmKey }) => ptmKey);
  const fields = { from: from.accounts[0], gas: GAS, privateFor, ...request };
  const hash = await callRpc(from.rpc, 'eth_sendTransaction', [fields]);
  const receipts: Receipt[] = [];
  await eventually(`${String(hash)} is not mined`, async () => {
    const found = (await callRpc(from.rpc, 'eth_getTransactionReceipt', [hash])) as Receipt | null;
    if (found !== null) receipts.push(found);
    return found !== null;
  });
  const { status, contractAddress } = receipts[0] as Receipt;
  assert(status === '0x1', `${String(hash)} failed`);
  return { contractAddress };
}

/** Waits until each party has the balance of the recipient. */
async function balancesAre(
  { address, calls, parties }: SharedToken,
  expected: readonly number[],
): Promise<void> {
  const data = calls.encodeFunctionData('balanceOf', [RECIPIENT]);
  for (const [index, { name, rpc }] of parties.entries())
    await eventually(
      `${name} does not have ${expected[index]}`,
      async () =>
        Number(await callRpc(rpc, 'eth_call', [{ to: address, data }, 'latest'])) === expected[index],
    );
}

/** What the first party says of the second. */
async function agreementOf({ address, parties }: SharedToken): Promise<string | undefined> {
  const [first, second] = parties;
  const found = (await callRpc(first?.rpc ?? '', 'privacy_getContractAgreement', [address])) as Agreement;
  return found.parties.find(({ ptmKey }) => ptmKey === second?.ptmKey)?.agreement;
}
