import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplanationView, PartyExplanationView, TransactionAgreementView } from '@tetrad/api-node';
import { until } from '@tetrad/testkit';
import { parseAddress, parsePtmKey } from '@tetrad/types';
import { checkAgreement } from '../../../src/commands/check-agreement-command.js';
import { explainAgreement } from '../../../src/commands/explain-agreement-command.js';
import { repairContract } from '../../../src/commands/repair-contract-command.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { contracts, creationOf, sendAndMine, valuesAt } from './private-contracts.js';
import { takeState } from './taken-state.js';

const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];

let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let first: RunningNode;
let second: RunningNode;
/** Of the first party alone. */
let inner: string;
/** Of both, with privacy flag 0: it reads the one that the second party does not have. */
let outer: string;
/** Succeeds at the first party, and reverts at the second one. */
let hash: string;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS.slice(0, 2),
    accounts: recordedAccounts(2),
    modules: 'eth,net,web3,debug,admin,eea,priv,privacy',
  });
  ({ nodes } = network);
  [first, second] = nodes as [RunningNode, RunningNode];
  inner = await create([A], creationOf('C1', 42));
  outer = await create([B], creationOf('C2', inner));
  const data = contracts.encodeFunctionData('restoreFromC1');
  const sent = await sendAndMine(first, nodes, { to: outer, data, privateFor: [B] });
  ({ hash } = sent);
  expect(sent.receipts.map(({ status }) => status)).toEqual(['0x1', '0x0']);
});
afterAll(() => network?.stop());

async function create(privateFor: readonly string[], data: string): Promise<string> {
  return String((await sendAndMine(first, nodes, { data, privateFor })).receipts[0]?.contractAddress);
}

const asked = (node: RunningNode) => ({ rpcUrl: new URL(node.url), rpcTokenFile: undefined });
const compared = { contract: undefined, since: undefined, wait: 120_000 };

/** What the node says of the other party of the transaction, once it has heard it. */
async function settled(node: RunningNode): Promise<TransactionAgreementView['parties'][number] | undefined> {
  let party: TransactionAgreementView['parties'][number] | undefined;
  await until(async () => {
    const found = await node.result<TransactionAgreementView | null>('privacy_getAgreement', [hash]);
    party = found?.parties[0];
    return party !== undefined && party.agreement !== 'pending';
  });
  return party;
}

/** How the node explains the contract, once it names the transaction. */
async function explained(node: RunningNode): Promise<PartyExplanationView | undefined> {
  let found: PartyExplanationView | undefined;
  await until(async () => {
    const { parties } = await node.result<ExplanationView>('privacy_explainAgreement', [outer]);
    found = parties.find((one) => one.transaction === hash && one.difference !== undefined);
    return found !== undefined;
  });
  return found;
}

describe('parties of which one alone reverts, by public reads in place of a contract that it lacks, with default options', () => {
  it('both cannot tell whether they agree, and neither says that it does', async () => {
    for (const [node, other] of [
      [first, B],
      [second, A],
    ] as const)
      expect(await settled(node)).toMatchObject({
        ptmKey: other,
        agreement: 'cannotTell',
        reason: 'undisclosedHere',
      });
  });

  it('both list the block in a check, which does not call it a divergence', async () => {
    const { blockNumber } = await first.mined(hash);
    for (const node of nodes) {
      const { text, isDiverged } = await checkAgreement({ ...asked(node), ...compared });
      expect(text).toContain(`block ${Number(blockNumber)}`);
      expect(isDiverged).toBe(false);
    }
  });

  it('both name the transaction and the contract that one lacks, certain where it lacks, probable elsewhere', async () => {
    const atSender = await explained(first);
    const atParty = await explained(second);
    const undisclosed = { agreement: 'undisclosed', difference: { field: 'undisclosed', at: 'own' } };
    expect(atSender).toMatchObject(undisclosed);
    expect(atParty).toMatchObject(undisclosed);
    expect(atSender?.causes).toEqual([
      { kind: 'publicReads', at: 'other', isCertain: false, contracts: [inner] },
    ]);
    expect(atParty?.causes).toEqual([
      { kind: 'publicReads', at: 'own', isCertain: true, contracts: [inner] },
    ]);
    const text = await explainAgreement({ ...asked(second), ...compared, contract: parseAddress(outer) });
    expect(text).toContain(`cause: this node does not have ${inner}`);
  });

  it('neither sees the outcome of the other one', async () => {
    for (const node of nodes) {
      const party = await settled(node);
      expect(party?.other?.outcome).toBeUndefined();
    }
  });

  it('the one that reverted takes the state by the command, once the operator of the other one allows it', async () => {
    const values = () => valuesAt(nodes, { interface: contracts }, outer, 'y');
    expect(await values()).toEqual([42, 0]);
    const about = { contract: parseAddress(outer), reason: 'lacks the inner contract', wait: 120_000 };
    const order = { ...asked(second), ...about, from: parsePtmKey(A), agreeWith: [], acceptOne: true };
    await expect(repairContract(order)).rejects.toThrow('not allowed by its operator');
    expect(await values()).toEqual([42, 0]);
    const taken = await takeState(outer, { node: second, key: B }, { node: first, key: A });
    expect(taken).toContain('since the end of block');
    expect(await values()).toEqual([42, 42]);
  });
});
