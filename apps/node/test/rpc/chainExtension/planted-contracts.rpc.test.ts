import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { compiled } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Places of nodes. */
const [ATTACKER, VICTIM] = [0, 1] as const;
const planter = compiled('../chainExtension/Planter.sol', 'Planter');
const weed = compiled('../chainExtension/Planter.sol', 'Weed');
/** An address without code or balance. */
const EMPTY = `0x${'e7'.repeat(20)}`;

interface Dump {
  readonly balance: string;
  readonly nonce: number;
  readonly root: string;
  readonly codeHash: string;
  readonly code: string;
  readonly storage: Readonly<Record<string, string>>;
}

let network: PrivacyNetwork;
let client: ExtensionClient;
/** The contract that the victim approves, and the management contract that it approves it by. */
let named: string;
let management: string;
let state: Dump;
beforeAll(async () => {
  network = await startExtensionNetwork(2);
  client = new ExtensionClient(network);
  named = await create(weed.creation(), []);
  state = await client.nodeAt(ATTACKER).result<Dump>('debug_dumpAddress', [named, 'latest']);
  const invitation = planter.creation(named, client.account(VICTIM), client.key(VICTIM));
  management = await create(invitation, [VICTIM]);
  const isListed = async () =>
    (await client.active(VICTIM)).some((one) => one.managementContractAddress === management);
  await until(isListed);
  await client.minedAll(await client.approve(VICTIM, management, true));
});
afterAll(() => network?.stop());

async function create(data: string, parties: readonly number[]): Promise<string> {
  const [receipt] = await client.mine(ATTACKER, { data, parties });
  return receipt?.contractAddress ?? '';
}

/**
 * Sends the victim a state for the address.
 * @returns what a management contract calls it by
 */
async function shareAt(address: string): Promise<string> {
  const dump = { [getAddress(address)]: { state } };
  const { url, key } = network.managers[ATTACKER] as PrivacyNetwork['managers'][number];
  const response = await fetch(`${url}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      payload: Buffer.from(JSON.stringify(dump)).toString('base64'),
      from: key,
      to: [client.key(VICTIM)],
    }),
  });
  return ((await response.json()) as { key: string }).key;
}

const call = (to: string, own: Interface, method: string, ...values: readonly unknown[]) =>
  client.mine(ATTACKER, { to, data: own.encodeFunctionData(method, values), parties: [VICTIM] });

/**
 * Has the management contract say that the state at the address is shared.
 * @returns whether the victim has a contract there
 */
async function plant(address: string): Promise<boolean> {
  const receipts = await call(management, planter.interface, 'plant', address, await shareAt(address));
  expect(receipts[VICTIM]).toMatchObject({ status: '0x1', logs: [{ address: management }] });
  return (await client.nodeAt(VICTIM).result('eth_getCode', [address])) !== '0x';
}

describe('an initiator with its own management contract', () => {
  it('gets the contract that the victim has approved', async () => {
    expect(await plant(named)).toBe(true);
  });

  it('does so once: a destroyed contract is not planted again by the same approval', async () => {
    await call(named, weed.interface, 'die');
    expect(await client.nodeAt(VICTIM).result('eth_getCode', [named])).toBe('0x');
    expect(await plant(named)).toBe(false);
  });

  it('cannot plant one where the victim has approved none, before and after', async () => {
    expect(await plant(EMPTY)).toBe(false);
    const next = await create(weed.creation(), []);
    const invitation = planter.creation(next, client.account(VICTIM), client.key(VICTIM));
    management = await create(invitation, [VICTIM]);
    await until(async () => (await client.approve(VICTIM, management, true)).error === undefined);
    expect(await plant(EMPTY)).toBe(false);
  });
});
