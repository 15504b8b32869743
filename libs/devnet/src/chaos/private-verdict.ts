import { runLoad } from '@tetrad/testkit';
import { callRpc } from '../demo/call-rpc.js';
import { eventually } from '../demo/eventually.js';
import type { PrivateContract } from './private-load.js';

const CONNECTIONS = 8;
const ONE = `0x${'1'.padStart(64, '0')}`;

/**
 * Whether both parties of each contract have all acknowledged writes, and the same state; other nodes must have nothing of it.
 * @throws naming the transaction, or the contract and its roots
 */
export async function checkPrivately(contracts: readonly PrivateContract[]): Promise<void> {
  for (const contract of contracts) {
    for (const { rpc } of contract.parties) await assertExecuted(rpc, contract);
    await assertAgreement(contract);
    for (const rpc of contract.outsiders)
      if ((await callRpc(rpc, 'eth_getCode', [contract.address, 'latest'])) !== '0x')
        throw new Error(`${rpc} is not a party to ${contract.address} and has its code`);
  }
}

/** Waits until private state has caught up: a manager may have been down. */
async function assertExecuted(url: string, { address, acknowledged }: PrivateContract): Promise<void> {
  const ask = (method: string, params: readonly (readonly unknown[])[]) =>
    runLoad(params, { url, connections: CONNECTIONS, method });
  const receipts = [...acknowledged.keys()];
  await eventually(`${url}: private transactions to ${address} are not executed`, async () => {
    const answers = await ask(
      'eth_getTransactionReceipt',
      receipts.map((hash) => [hash]),
    );
    return answers.every(({ result }) => (result as { status?: string } | null)?.status === '0x1');
  });
  const slots = [...acknowledged.values()].map((word) => [address, word, 'latest']);
  const values = await ask('eth_getStorageAt', slots);
  const lost = values.findIndex(({ result }) => result !== ONE);
  if (lost !== -1) throw new Error(`${url}: the write of ${receipts[lost]} is not in ${address}`);
}

async function assertAgreement({ address, parties }: PrivateContract): Promise<void> {
  let roots: unknown[] = [];
  await eventually(`the parties of ${address} differ`, async () => {
    roots = await Promise.all(parties.map(({ rpc }) => callRpc(rpc, 'eth_storageRoot', [address])));
    return new Set(roots).size === 1;
  });
}
