import { callRpc, eventually, type Endpoints } from '@tetrad/devnet';

type EndpointOfNode = Endpoints['nodes'][number];

/** A private contract and the nodes that are its parties, which all get each transaction to it. */
export interface SoakContract {
  readonly address: string;
  /** Numbers of the nodes. */
  readonly parties: readonly number[];
  readonly privacyFlag: number;
}

/**
 * Keeps the hash of its slot and the word that it is sent, logs it, and reverts where the lowest three bits of the word are 0: each result
 * depends on all transactions before it.
 *
 * PUSH1 0 CALLDATALOAD PUSH1 7 AND PUSH1 0d JUMPI PUSH1 0 DUP1 REVERT JUMPDEST, PUSH1 0 SLOAD PUSH1 0 MSTORE, PUSH1 0 CALLDATALOAD
 * PUSH1 32 MSTORE, PUSH1 64 PUSH1 0 KECCAK256, DUP1 PUSH1 0 SSTORE, PUSH1 0 MSTORE, PUSH1 32 PUSH1 0 LOG0, STOP
 */
const RUNTIME =
  '60003560071660' +
  '0d57600080fd5b' +
  '600054600052' +
  '600035602052' +
  '6040600020' +
  '80600055' +
  '600052' +
  '60206000a0' +
  '00';
/** PUSH1 length DUP1 PUSH1 11 PUSH1 0 CODECOPY PUSH1 0 RETURN */
const CODE = `0x60${(RUNTIME.length / 2).toString(16)}80600b6000396000f3${RUNTIME}`;
const GAS = '0x493e0';

/** Without enhanced privacy, with the protection of its parties, and with a state that all parties validate. */
const FLAGS = [0, 1, 3];

/** Contracts of each pair and of all nodes, one for each privacy flag. */
export async function createContracts(nodes: readonly EndpointOfNode[]): Promise<SoakContract[]> {
  const all = nodes.map((_, index) => index);
  const pairs = all.flatMap((one) => all.slice(one + 1).map((other) => [one, other]));
  const wanted = [...pairs, all].flatMap((parties) => FLAGS.map((flag) => ({ parties, flag })));
  return Promise.all(wanted.map(({ parties, flag }) => create(nodes, parties, flag)));
}

async function create(
  nodes: readonly EndpointOfNode[],
  parties: readonly number[],
  privacyFlag: number,
): Promise<SoakContract> {
  const [sender = 0, ...others] = parties;
  const { rpc, accounts } = nodes[sender] as EndpointOfNode;
  const privateFor = others.map((other) => nodes[other]?.ptmKey);
  const creation = { from: accounts[0], gas: GAS, data: CODE, privateFor, privacyFlag };
  const hash = await callRpc(rpc, 'eth_sendTransaction', [creation]);
  let address = '';
  await eventually(`a contract with flag ${privacyFlag} is not there`, async () => {
    const receipt = (await callRpc(rpc, 'eth_getTransactionReceipt', [hash])) as {
      contractAddress: string;
      status: string;
    } | null;
    address = receipt?.status === '0x1' ? receipt.contractAddress : '';
    return address !== '';
  });
  return { address, parties, privacyFlag };
}
