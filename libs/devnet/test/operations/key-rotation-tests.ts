import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addressFromPrivateKey, generatePrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { callRpc, eventually, sendPrivately, serviceMain, type Network } from '@tetrad/devnet';
import { loadToken, seededRandom } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { ChaosLoad } from '../../src/chaos/chaos-load.js';
import { check } from '../../src/chaos/chaos-verdict.js';
import { PrivateLoad } from '../../src/chaos/private-load.js';
import { checkPrivately } from '../../src/chaos/private-verdict.js';
import type { FourNodes } from './four-nodes.js';

let folder: string;
let network: Network;
let load: ChaosLoad;
let privately: PrivateLoad | undefined;
const nodeAt = (index: number) => network.nodes[index] as Network['nodes'][number];

const validatorsAt = async (index: number) =>
  (await callRpc(nodeAt(index).rpc, 'ibft_getValidators', [])) as string[];

/** Votes at the nodes until all nodes see the change. */
async function vote(voters: readonly number[], address: string, isAdded: boolean): Promise<void> {
  for (const index of voters) await callRpc(nodeAt(index).rpc, 'ibft_propose', [address, isAdded]);
  for (const index of network.nodes.keys())
    await eventually(
      `${nodeAt(index).name}: the vote has no effect`,
      async () => (await validatorsAt(index)).includes(address) === isAdded,
    );
  for (const index of voters) await callRpc(nodeAt(index).rpc, 'ibft_discard', [address]);
}

/** The steps of docs/operations/rotate-keys.md, on a network that public and private transactions are sent to meanwhile. */
export function testKeyRotation(four: () => FourNodes): void {
  beforeAll(async () => {
    ({ network, folder } = four());
    privately = await PrivateLoad.start(network);
    load = new ChaosLoad(network.nodes, network.endpoints, seededRandom(1));
  });
  afterAll(() => Promise.all([load?.stop(), privately?.stop()]));

  it('a validator gets another key on the same database: voted out, restarted, voted in', async () => {
    const { files, ports } = nodeAt(0);
    const key = generatePrivateKey();
    const address = addressFromPrivateKey(key);
    await vote([1, 2, 3], files.address, false);
    await nodeAt(0).stop();
    await writeFile(files.nodeKeyFile, hexFromBytes(key).slice(2), { mode: 0o600 });
    await nodeAt(0).start();
    const enode = `enode://${hexFromBytes(publicKeyFromPrivateKey(key)).slice(2)}@127.0.0.1:${ports.peer}?discport=0`;
    for (const index of [1, 2, 3]) await callRpc(nodeAt(index).rpc, 'admin_addPeer', [enode]);
    await vote([1, 2, 3], address, true);
    await eventually('the new key proposes no block', async () => {
      const { author } = (await callRpc(nodeAt(1).rpc, 'ibft_getSignersFromBlock', [])) as { author: string };
      return author === address;
    });
    expect(await validatorsAt(1)).not.toContain(files.address);
  });

  it('a manager gets another key, parties move to it, and the former one reads what it was sent', async () => {
    const [former, manager] = [join(folder, 'node1/manager.key'), network.process('manager1')];
    const next = join(folder, 'node1/manager-next');
    await promisify(execFile)(process.execPath, [
      serviceMain('transaction-manager'),
      'key',
      'new',
      '--out',
      next,
      '--password-file',
      join(folder, 'password'),
    ]);
    await manager.stop();
    // The first one is the key that this node sends from.
    manager.replaceOption('--key-files', `${next}.key,${former}`);
    await manager.start();
    const key = (await readFile(`${next}.pub`, 'utf8')).trim();
    const wallet = Wallet.createRandom();
    const { abi, bytecode } = await loadToken();
    const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
    const from = network.endpoints.nodes[3] as Network['endpoints']['nodes'][number];
    await eventually('the new key is not known', async () => {
      const sent = sendPrivately({
        wallet: new Wallet(wallet.privateKey),
        through: from,
        privateFor: [key],
        nonce: 0,
        data,
      });
      return (await sent.catch(() => undefined)) !== undefined;
    });
    const to = getCreateAddress({ from: wallet.address, nonce: 0 });
    const balance = new Contract(to, [...abi]).interface.encodeFunctionData('balanceOf', [wallet.address]);
    for (const index of [1, 3])
      await eventually('the contract is not at both parties', async () => {
        return (
          Number(await callRpc(nodeAt(index).rpc, 'eth_call', [{ to, data: balance }, 'latest'])) === 1_000
        );
      });
  });

  it('no acknowledged transaction is lost, and parties of contracts agree', async () => {
    const before = privately?.acknowledged.length ?? 0;
    await eventually(
      'nothing is sent privately any more',
      async () => (privately?.acknowledged.length ?? 0) > before + 4,
    );
    await Promise.all([load.stop(), privately?.stop()]);
    const acknowledged = new Set([...load.acknowledged, ...(privately?.acknowledged ?? [])]);
    expect(acknowledged.size).toBeGreaterThan(0);
    const { minedTransactions } = await check(network.nodes, acknowledged);
    expect(minedTransactions).toBeGreaterThanOrEqual(acknowledged.size);
    await checkPrivately(privately?.contracts ?? []);
  });
}
