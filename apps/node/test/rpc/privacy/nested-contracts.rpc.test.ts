import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { reasonOf, type RunningNode } from '../../running-node.js';
import { compiled, sendAndMine, valuesAt, type CompiledContract } from './private-contracts.js';

const [, K2] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const SUCCESS = ['0x1', '0x1', '0x1'];
const master = compiled('StorageMaster.sol', 'StorageMaster');

/** The first two are parties, the third is not. */
let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let sender: RunningNode;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    flags: ['--address-index'],
  });
  ({ nodes } = network);
  sender = nodes[0] as RunningNode;
});
afterAll(() => network?.stop());

/**
 * Sends, and sees it succeed at all nodes.
 * @returns what the transaction carries, in base64, and the contract
 */
async function succeed(request: object): Promise<{ payload: string; contract: string }> {
  const { hash, receipts } = await sendAndMine(sender, nodes, request);
  expect(receipts.map(({ status }) => status)).toEqual(SUCCESS);
  const { input } = await sender.result<{ input: string }>('eth_getTransactionByHash', [hash]);
  return {
    payload: Buffer.from(input.slice(2), 'hex').toString('base64'),
    contract: String(receipts[0]?.contractAddress),
  };
}

/** Hashes of the transactions of an address at each node, the newest first. */
function historiesOf(address: string): Promise<string[][]> {
  const params = [address, 0, 25];
  return Promise.all(
    nodes.map(async (node) => {
      const ask = () => node.call('ots_searchTransactionsBefore', params);
      await until(async () => reasonOf(await ask()) !== 'ADDRESS_INDEX_NOT_AVAILABLE');
      const { txs } = (await ask()).result as { txs: { hash: string }[] };
      return txs.map(({ hash }) => hash);
    }),
  );
}

describe('public contracts that call one another', () => {
  it('compute with the values of the contracts they call (P-11)', async () => {
    const deploy = async (name: string, ...values: unknown[]): Promise<[CompiledContract, string]> => {
      const contract = compiled('Stores.sol', name);
      return [contract, (await succeed({ data: contract.creation(...values) })).contract];
    };
    const storec = await deploy('StoreC', 1);
    const storeb = await deploy('StoreB', 1, storec[1]);
    const [storea, to] = await deploy('StoreA', 1, storeb[1]);
    for (const method of ['setc', 'setb', 'seta'])
      await succeed({ to, data: storea.interface.encodeFunctionData(method, [10]) });
    expect(await valuesAt(nodes, ...storec, 'getc')).toEqual([10, 10, 10]);
    expect(await valuesAt(nodes, ...storeb, 'getb')).toEqual([100, 100, 100]);
    expect(await valuesAt(nodes, storea, to, 'geta')).toEqual([1000, 1000, 1000]);
  });
});

describe('private contracts that call one another', () => {
  const shared = { privateFor: [K2] };

  it('show their parties what either received, and nothing to other nodes (P-12)', async () => {
    const [c1, c2] = [compiled('Storages.sol', 'C1'), compiled('Storages.sol', 'C2')];
    const first = await succeed({ ...shared, data: c1.creation(42) });
    const second = await succeed({ ...shared, data: c2.creation(first.contract) });
    const values = () =>
      Promise.all([valuesAt(nodes, c1, first.contract, 'get'), valuesAt(nodes, c2, second.contract, 'get')]);
    expect(await values()).toEqual([
      [42, 42, '0x'],
      [42, 42, '0x'],
    ]);
    await succeed({ ...shared, to: second.contract, data: c2.interface.encodeFunctionData('set', [5]) });
    expect(await values()).toEqual([
      [5, 5, '0x'],
      [5, 5, '0x'],
    ]);
    // The public part of a transaction names the contract that it is sent to, and no contract that this one calls.
    const [ofFirst, ofSecond] = [await historiesOf(first.contract), await historiesOf(second.contract)];
    expect(ofSecond.map(({ length }) => length)).toEqual([2, 2, 2]);
    const outsider = ofFirst[2] as string[];
    expect(ofFirst.slice(0, 2)).toEqual([
      [ofSecond[0]?.[0], ...outsider],
      [ofSecond[0]?.[0], ...outsider],
    ]);
  });

  it('can be created by one another (P-13)', async () => {
    const { contract } = await succeed({ ...shared, data: master.creation() });
    const create = master.interface.encodeFunctionData('createSimpleStorage', [10]);
    await succeed({ ...shared, to: contract, data: create });
    const child = compiled('StorageMaster.sol', 'SimpleStorage');
    const data = master.interface.encodeFunctionData('child');
    const answer = await sender.result<string>('eth_call', [{ to: contract, data }]);
    const address = String(master.interface.decodeFunctionResult('child', answer)[0]);
    expect(await valuesAt(nodes, child, address, 'get')).toEqual([10, 10, '0x']);
  });
});

describe.each([
  ['standard private', 'P-14', 0, 'names no creation to its parties'],
  ['party-protected', 'P-15', 1, 'names to its parties its own creation, and one for both (P-15)'],
])('a %s contract that creates two in one transaction', (_kind, scenario, privacyFlag, naming) => {
  const shared = { privateFor: [K2], privacyFlag };
  const call = (method: string, value: number) =>
    succeed({ ...shared, to: contract, data: master.interface.encodeFunctionData(method, [value]) });
  const sums = () => valuesAt(nodes, master, contract, 'getC2C3Value');
  let contract: string;
  /** Of the creation of the master, of that of its children and of the call to them. */
  const payloads: string[] = [];
  beforeAll(async () => {
    const created = await succeed({ ...shared, data: master.creation() });
    ({ contract } = created);
    payloads.push(created.payload);
  });

  it(`calls both for its parties, and is nothing to others (${scenario})`, async () => {
    payloads.push((await call('createSimpleStorageC2C3', 5)).payload);
    expect(await sums()).toEqual([10, 10, '0x']);
    payloads.push((await call('setC2C3Value', 15)).payload);
    expect(await sums()).toEqual([30, 30, '0x']);
  });

  it(naming, async () => {
    const [creation, children, change] = payloads as [string, string, string];
    const affected = await Promise.all(
      network.managers.slice(0, 2).map(({ url }) => affectedBy(url, change)),
    );
    // A standard private contract has no metadata to name its creation.
    const expected = privacyFlag === 0 ? [] : [creation, children].sort();
    expect(affected).toEqual([expected, expected]);
    const ofChildren = await affectedBy(network.managers[0]?.url, children);
    expect(ofChildren).toEqual(privacyFlag === 0 ? [] : [creation]);
  });
});

/** The creations of the contracts that the manager has as affected by the transaction. */
async function affectedBy(url: string | undefined, payload: string): Promise<string[]> {
  const response = await fetch(`${url}/transaction/${encodeURIComponent(payload)}`);
  const body = (await response.json()) as { affectedContractTransactions: string[] };
  return body.affectedContractTransactions.sort();
}
