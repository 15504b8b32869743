import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContractAgreementView, RepairProgressView, RepairsView } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import { parseAddress, parsePtmKey } from '@tetrad/types';
import { allowRepair, repairContract } from '../../../src/commands/repair-contract-command.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, contracts, creationOf, sendAndMine, setTo, valuesAt } from './private-contracts.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const REASON = 'left out by mistake';

let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let first: RunningNode;
let second: RunningNode;
let third: RunningNode;
/** Of all three parties; the second has been left out of a transaction. */
let contract: string;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    modules: 'eth,net,web3,debug,admin,eea,priv,privacy',
  });
  ({ nodes } = network);
  [first, second, third] = nodes as [RunningNode, RunningNode, RunningNode];
  const created = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [B, C] });
  contract = String(created.receipts[0]?.contractAddress);
  // So that the third party has proof that the second one has the contract.
  await increment(third, 1, [A, B]);
  await increment(first, 2, [C]);
});
afterAll(() => network?.stop());

async function increment(sender: RunningNode, more: number, privateFor: readonly string[]): Promise<string> {
  const data = accumulator.interface.encodeFunctionData('inc', [more]);
  return (await sendAndMine(sender, nodes, { to: contract, data, privateFor })).hash;
}

const values = () => valuesAt(nodes, accumulator, contract, 'get');
const repairsAt = (node: RunningNode) => node.result<RepairsView>('privacy_listRepairs', [contract]);

/** What becomes of a repair by the second party. */
async function repair(request: object): Promise<RepairProgressView> {
  const order = { contract, from: A, reason: REASON, ...request };
  await second.result<RepairProgressView>('admin_repairContract', [order]);
  let progress: RepairProgressView | undefined;
  await until(async () => {
    progress = await second.result<RepairProgressView>('admin_getContractRepair');
    return progress.phase === 'written' || progress.phase === 'failed';
  });
  return progress as RepairProgressView;
}

async function agreementAt(node: RunningNode, other: string) {
  const found = await node.result<ContractAgreementView>('privacy_getContractAgreement', [contract]);
  return found.parties.find(({ ptmKey }) => (ptmKey as string) === other);
}

/** A line of what the node shows for Prometheus. */
async function metric(node: RunningNode, name: string, of?: 'node' | 'parties'): Promise<number> {
  const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
  const label = of === undefined ? '' : `\\{of="${of}"\\}`;
  return Number(new RegExp(`^${name}${label} ([0-9.e+]+)$`, 'm').exec(text)?.[1]);
}

const unrepaired = () =>
  Promise.all(nodes.map((node) => metric(node, 'node_agreement_unrepaired_contracts')));

const reasonOf = async (order: object) =>
  (await second.call('admin_repairContract', [{ contract, from: A, reason: REASON, ...order }])).error;

describe('a party that was left out of a transaction', () => {
  it('has another state', async () => {
    expect(await values()).toEqual([4, 2, 4]);
  });

  it('counts as one with a contract to repair once both have a transaction of it with different results', async () => {
    expect(await unrepaired()).toEqual([0, 0, 0]);
    await increment(first, 1, [B, C]);
    expect(await values()).toEqual([5, 3, 5]);
    await until(async () => (await unrepaired()).join() === '1,1,0');
  });

  it('is refused a repair from one party alone, unless its operator believes it', async () => {
    const error = await reasonOf({});
    expect(error?.data).toMatchObject({ reason: 'REPAIR_REFUSED' });
    expect(error?.message).toContain('--agree-with');
  });

  it('is not sent the contract before the operator of the other party allows it', async () => {
    const progress = await repair({ agreeWith: [C] });
    expect(progress).toMatchObject({ phase: 'failed' });
    expect(progress.failure).toContain('not allowed by its operator');
    expect(await values()).toEqual([5, 3, 5]);
  });

  it('takes the state of the other parties, which state the same', async () => {
    expect(await first.result('admin_allowContractRepair', [contract, B, 3_600])).toBe(true);
    const progress = await repair({ agreeWith: [C] });
    expect(progress).toMatchObject({ phase: 'written', contract, from: A });
    expect(await values()).toEqual([5, 5, 5]);
  });

  it('has the repair in its list, with what it had, and what the others have signed', async () => {
    const { repairs } = await repairsAt(second);
    expect(repairs).toMatchObject([{ contract, from: A, ownPtmKey: B, reason: REASON }]);
    const [one] = repairs;
    expect(one?.before.storageRoot).not.toBe(one?.after.storageRoot);
    expect(one?.statements).toHaveLength(2);
  });

  it('tells the parties that were asked', async () => {
    await until(async () => (await repairsAt(second)).repairs[0]?.untold.length === 0);
    for (const node of [first, third]) {
      await until(async () => (await repairsAt(node)).told.length === 1);
      expect((await repairsAt(node)).told).toMatchObject([{ ptmKey: B, contract, isSame: true }]);
    }
  });

  it('has the same state as the others, as both ends say', async () => {
    const [repaired] = (await repairsAt(second)).repairs;
    const agreed = { agreement: 'agreed', repairedAt: repaired?.blockNumber };
    expect(await agreementAt(second, A)).toMatchObject(agreed);
    expect(await agreementAt(first, B)).toMatchObject(agreed);
    expect(await metric(second, 'node_private_repairs', 'node')).toBe(1);
    expect(await metric(first, 'node_private_repairs', 'parties')).toBe(1);
  });

  it('shows for alerts when it was, and that nothing is left to repair', async () => {
    const [repaired] = (await repairsAt(second)).repairs;
    const last = (node: RunningNode, of: 'node' | 'parties') =>
      metric(node, 'node_private_repair_last_timestamp_seconds', of);
    expect(Math.floor(await last(second, 'node'))).toBe(repaired?.madeAt);
    expect(await last(second, 'parties')).toBe(0);
    expect(await last(first, 'parties')).toBeGreaterThanOrEqual(repaired?.madeAt ?? Infinity);
    expect(await unrepaired()).toEqual([0, 0, 0]);
  });

  it('agrees on later transactions', async () => {
    const hash = await increment(first, 3, [B, C]);
    expect(await values()).toEqual([8, 8, 8]);
    await until(async () => {
      const found = await second.result<{ parties: { agreement: string }[] }>('privacy_getAgreement', [hash]);
      return found.parties.every(({ agreement }) => agreement === 'agreed');
    });
  });

  it('is refused a repair of a contract that it does not have, and a repair from one that is not among its other parties', async () => {
    expect((await reasonOf({ contract: `0x${'0c'.repeat(20)}` }))?.data).toMatchObject({
      reason: 'NOT_A_PRIVATE_CONTRACT',
    });
    expect((await reasonOf({ from: B }))?.data).toMatchObject({ reason: 'REPAIR_REFUSED' });
    expect(JSON.stringify(await reasonOf({ from: 'no key' }))).toContain('from');
  });

  it('is refused another repair, which would change nothing', async () => {
    expect((await repair({ agreeWith: [C] })).failure).toContain('has the same state');
  });
});

describe('a party at which alone a transaction reverts, as it lacks what the contract reads', () => {
  it('takes the state by the command', async () => {
    const config = (node: RunningNode) => ({ rpcUrl: new URL(node.url), rpcTokenFile: undefined });
    const inner = await sendAndMine(third, nodes, { data: creationOf('C1', 42), privateFor: [A] });
    const data = creationOf('C2', String(inner.receipts[2]?.contractAddress));
    const { receipts } = await sendAndMine(first, nodes, { data, privateFor: [B, C] });
    const outer = String(receipts[0]?.contractAddress);
    const y = () => valuesAt(nodes, { interface: contracts }, outer, 'y');
    // It reverts at the second party as well, and is the proof of the third one that both have the contract.
    await sendAndMine(third, nodes, { to: outer, data: setTo(41), privateFor: [A, B] });
    const restore = contracts.encodeFunctionData('restoreFromC1');
    await sendAndMine(first, nodes, { to: outer, data: restore, privateFor: [B, C] });
    expect(await y()).toEqual([41, 0, 41]);

    const about = { contract: parseAddress(outer), reason: 'lacks the inner contract', wait: 120_000 };
    const allowed = await allowRepair({
      ...config(first),
      ...about,
      to: parsePtmKey(B),
      allowFor: 3_600_000,
    });
    expect(allowed).toContain('for 3600 seconds');
    const order = { ...config(second), ...about, from: parsePtmKey(A), agreeWith: [parsePtmKey(C)] };
    expect(await repairContract({ ...order, acceptOne: false })).toContain('since the end of block');
    expect(await y()).toEqual([41, 41, 41]);
    await expect(repairContract({ ...order, acceptOne: false })).rejects.toThrow('is as it was');
  });
});
