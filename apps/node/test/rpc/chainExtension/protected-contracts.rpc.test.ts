import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { creationOf, setTo } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Indexes of nodes: two parties, the invited one, and one that receives no payloads. */
const [CREATOR, PARTY, INVITED, OUTSIDER] = [0, 1, 2, 3] as const;

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(4);
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

const ALL = ['0x1', '0x1', '0x1', '0x1'];

/** What a transaction to or of the contract says of its protection. */
function protectionOf(privacyFlag: number): object {
  return privacyFlag === 2 ? { privacyFlag, mandatoryFor: [client.key(CREATOR)] } : { privacyFlag };
}

async function create(privacyFlag: number, value: number): Promise<string> {
  const data = creationOf('SimpleStorage', value);
  const receipts = await client.mine(CREATOR, { data, parties: [PARTY], ...protectionOf(privacyFlag) });
  return receipts[CREATOR]?.contractAddress ?? '';
}

interface Metadata {
  readonly creationTxHash: string;
  readonly privacyFlag: number;
  readonly mandatoryFor: readonly string[];
}

const metadataAt = (index: number, contract: string) =>
  client.nodeAt(index).result<Metadata>('eth_getContractPrivacyMetadata', [contract]);

describe.each([1, 2, 3])('a contract with privacy flag %i', (flag) => {
  it('is extended by its creator alone (P-45), and keeps its protection with the new party (P-37, P-46)', async () => {
    const contract = await create(flag, 55);
    const before = await metadataAt(CREATOR, contract);
    const byParty = await client.extend(PARTY, INVITED, contract);
    expect(byParty.error).toMatchObject({
      message: 'operation not allowed',
      data: { reason: 'NOT_THE_CONTRACT_CREATOR' },
    });

    const management = await client.begin(CREATOR, INVITED, contract);
    // The other party knows of the extension, but takes no part in it.
    expect(await client.status(PARTY, management)).toBe('ACTIVE');
    expect(await client.active(PARTY)).toEqual([]);
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, PARTY, INVITED], management);
    expect(await client.values(contract)).toEqual([55, 55, 55, '0x']);
    const roots = await client.storageRoots(contract);
    expect([roots[PARTY], roots[INVITED]]).toEqual([roots[CREATOR], roots[CREATOR]]);

    const after = await Promise.all([CREATOR, PARTY, INVITED].map((index) => metadataAt(index, contract)));
    expect(after).toEqual([after[0], after[0], after[0]]);
    expect(after[0]).toEqual({ ...before, creationTxHash: after[0]?.creationTxHash });
    expect(after[0]?.creationTxHash).not.toBe(before?.creationTxHash);

    const all = [CREATOR, PARTY, INVITED];
    const parties = (sender: number) => all.filter((index) => index !== sender);
    const call = (value: number) => ({ to: contract, data: setTo(value), ...protectionOf(flag) });
    expect(await client.statuses(INVITED, { ...call(56), parties: parties(INVITED) })).toEqual(ALL);
    expect(await client.values(contract)).toEqual([56, 56, 56, '0x']);
    expect(await client.statuses(PARTY, { ...call(57), parties: parties(PARTY) })).toEqual(ALL);
    expect(await client.values(contract)).toEqual([57, 57, 57, '0x']);
    const stranger = { to: contract, data: setTo(66), parties: all };
    expect((await client.statuses(OUTSIDER, stranger)).slice(0, 3)).toEqual(['0x0', '0x0', '0x0']);
    expect(await client.values(contract)).toEqual([57, 57, 57, '0x']);
  });
});

describe('after the extension of a contract', () => {
  it('with privacy flag 1, a transaction may leave the new party out (P-44)', async () => {
    const contract = await create(1, 42);
    const management = await client.begin(CREATOR, INVITED, contract);
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, PARTY, INVITED], management);
    const call = { to: contract, data: setTo(999), privacyFlag: 1, parties: [PARTY] };
    expect(await client.statuses(CREATOR, call)).toEqual(ALL);
    expect(await client.values(contract)).toEqual([999, 999, 42, '0x']);
  });

  it('with privacy flag 2, mandatory recipients stay the same (P-36)', async () => {
    const contract = await create(2, 30);
    const management = await client.begin(CREATOR, INVITED, contract);
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, PARTY, INVITED], management);
    const call = { to: contract, data: setTo(10), privacyFlag: 2 };
    const wrong = { ...call, parties: [PARTY], mandatoryFor: [client.key(INVITED)] };
    expect((await client.send(INVITED, wrong)).error?.message).toContain('Privacy metadata mismatched');
    const right = { ...call, parties: [CREATOR], mandatoryFor: [client.key(CREATOR)] };
    expect(await client.statuses(INVITED, right)).toEqual(ALL);
    expect(await client.values(contract)).toEqual([10, 30, 10, '0x']);
  });
});
