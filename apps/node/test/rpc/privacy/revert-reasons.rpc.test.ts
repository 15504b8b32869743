import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { PrivateClient, compiled } from './private-contracts.js';

const keeper = compiled('Keeper.sol', 'Keeper');
const CREATION = keeper.creation('0x');
const FAILING = keeper.interface.encodeFunctionData('fail', ['no reason at all']);

/** The second node alone is not asked to keep reasons. */
let network: PrivacyNetwork;
let client: PrivateClient;
beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    flagsOf: (index) => (index === 1 ? [] : [index === 0 ? '--revert-reason' : '--revertreason', 'true']),
  });
  client = new PrivateClient(network);
});
afterAll(() => network?.stop());

/** What the nodes show of a call that reverts. */
async function reasonsOf(parties?: readonly number[]): Promise<readonly unknown[]> {
  const [created] = await client.mine(0, { data: CREATION, ...(parties && { parties }) });
  const receipts = await client.mine(0, {
    to: created?.contractAddress,
    data: FAILING,
    ...(parties && { parties }),
  });
  return receipts.map((receipt) => (receipt as { readonly revertReason?: string }).revertReason);
}

describe('the receipt of a reverted transaction', () => {
  const encoded = Buffer.from('no reason at all').toString('hex');

  it('has the output of a public transaction, on nodes that keep it', async () => {
    const reasons = await reasonsOf();
    expect(reasons[0]).toMatch(new RegExp(`^0x08c379a0.*${encoded}`));
    expect(reasons).toEqual([reasons[0], undefined, reasons[0]]);
  });

  it('shows the reason of a private transaction to its parties only', async () => {
    const reasons = await reasonsOf([1]);
    expect(reasons[0]).toMatch(new RegExp(`^0x08c379a0.*${encoded}`));
    expect(reasons.slice(1)).toEqual([undefined, undefined]);
  });
});
