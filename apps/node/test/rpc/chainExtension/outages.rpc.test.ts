import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultyProxy, until } from '@tetrad/testkit';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { reasonOf } from '../../running-node.js';
import { compiled } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

const [CREATOR, OTHER, INVITED] = [0, 1, 2] as const;
/** Slots of the contract: its state is some 400 KB of JSON. */
const SLOTS = 3_000;
const SLOTS_A_TRANSACTION = 500;

const filled = compiled('Filled.sol', 'Filled');
let links: FaultyProxy[];
let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  links = [];
  const urls: string[] = [];
  for (let index = 0; index < 3; index++)
    links.push(await FaultyProxy.open({ port: () => Number(new URL(urls[index] as string).port) }));
  network = await startExtensionNetwork(3, {
    urlOf: (index, managers) => {
      urls[index] = managers[index]?.url ?? '';
      return `http://127.0.0.1:${links[index]?.port}`;
    },
  });
  client = new ExtensionClient(network);
});
afterAll(async () => {
  await network?.stop();
  await Promise.all((links ?? []).map((link) => link.close()));
});

const linkOf = (index: number) => links[index] as FaultyProxy;

/** A contract of the creator alone, all slots of which are filled. */
async function createFilled(): Promise<string> {
  const [receipt] = await client.mine(CREATOR, { data: filled.creation(), parties: [] });
  const to = receipt?.contractAddress ?? '';
  for (let from = 0; from < SLOTS; from += SLOTS_A_TRANSACTION) {
    const data = filled.interface.encodeFunctionData('fill', [from, SLOTS_A_TRANSACTION]);
    const statuses = await client.statuses(CREATOR, { to, data, parties: [], gas: '0x5f5e100' });
    expect(statuses).toEqual(['0x1', '0x1', '0x1']);
  }
  return to;
}

/** What the node says of the extension, or why it cannot. */
async function statusAt(index: number, management: string): Promise<unknown> {
  const answer = await client.call(index, 'getExtensionStatus', management);
  return answer.result ?? reasonOf(answer);
}

/** Where the contract of a transaction is, once the invited node has imported the block too. */
async function minedForInvited(hash: string): Promise<string> {
  const { blockNumber, contractAddress } = await client.nodeAt(OTHER).mined(hash);
  await until(
    async () => Number(await client.nodeAt(INVITED).result('eth_blockNumber')) >= Number(blockNumber),
  );
  return contractAddress;
}

const sums = (to: string) =>
  client.ask<string>('eth_call', { to, data: filled.interface.encodeFunctionData('sum', [0, 500]) });

describe('an extension of a contract with thousands of slots', () => {
  it('waits for unavailable managers, of the initiator and of the recipient, and transfers every slot', async () => {
    const contract = await createFilled();
    linkOf(INVITED).set({ kind: 'cut' });
    const begun = await client.extend(CREATOR, INVITED, contract);
    expect(begun.error).toBeUndefined();
    // The initiator's vote may have to wait for its manager too.
    linkOf(CREATOR).set({ kind: 'cut' });
    const management = await minedForInvited(begun.result as string);
    expect(await statusAt(INVITED, management)).toBe('PRIVATE_STATE_NOT_AVAILABLE');
    for (const index of [INVITED, CREATOR]) linkOf(index).heal();
    await until(async () => (await statusAt(INVITED, management)) === 'ACTIVE');
    await client.initiatorVoted(CREATOR, management);

    // The initiator shares the state while the recipient cannot ask its manager.
    linkOf(CREATOR).set({ kind: 'cut' });
    const vote = await client.approve(INVITED, management, true);
    linkOf(INVITED).set({ kind: 'cut' });
    await minedForInvited(vote.result as string);
    linkOf(CREATOR).heal();
    await client.ended([CREATOR], management);
    expect(await statusAt(INVITED, management)).toBe('PRIVATE_STATE_NOT_AVAILABLE');
    linkOf(INVITED).heal();
    await until(async () => (await statusAt(INVITED, management)) === 'DONE');
    const roots = await client.storageRoots(contract);
    expect(roots[INVITED]).toBe(roots[CREATOR]);
    const [own, , theirs] = await sums(contract);
    expect(theirs).toBe(own);
    expect(Number(own)).toBe((500 * 501) / 2);
    expect(await client.active(INVITED)).toEqual([]);
  });
});
