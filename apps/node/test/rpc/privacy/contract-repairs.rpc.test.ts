import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RepairProgressView, RepairsView } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, sendAndMine, valuesAt } from './private-contracts.js';

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

const reasonOf = async (order: object) =>
  (await second.call('admin_repairContract', [{ contract, from: A, reason: REASON, ...order }])).error;

describe('a party that was left out of a transaction', () => {
  it('has another state', async () => {
    expect(await values()).toEqual([4, 2, 4]);
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
    expect(await values()).toEqual([4, 2, 4]);
  });

  it('takes the state of the other parties, which state the same', async () => {
    expect(await first.result('admin_allowContractRepair', [contract, B, 3_600])).toBe(true);
    const progress = await repair({ agreeWith: [C] });
    expect(progress).toMatchObject({ phase: 'written', contract, from: A });
    expect(await values()).toEqual([4, 4, 4]);
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

  it('agrees on later transactions', async () => {
    const hash = await increment(first, 3, [B, C]);
    expect(await values()).toEqual([7, 7, 7]);
    await until(async () => {
      const found = await second.result<{ parties: { agreement: string }[] }>('privacy_getAgreement', [hash]);
      return found.parties.every(({ agreement }) => agreement === 'agreed');
    });
  });

  it('is refused another repair, which would change nothing', async () => {
    expect((await repair({ agreeWith: [C] })).failure).toContain('has the same state');
  });
});
