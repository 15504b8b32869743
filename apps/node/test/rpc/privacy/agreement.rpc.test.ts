import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ContractAgreementView, DisagreementsView, TransactionAgreementView } from '@tetrad/api-node';
import { openBlockStatement } from '@tetrad/node-agreement';
import { until } from '@tetrad/testkit';
import { bytesFromHex, parseAddress } from '@tetrad/types';
import { checkAgreement } from '../../../src/commands/check-agreement-command.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, sendAndMine } from './private-contracts.js';
import { settledParties } from './settled-parties.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accumulator = compiled('Accumulator.sol', 'Accumulator');

let network: PrivacyNetwork;
let nodes: readonly RunningNode[];
let first: RunningNode;
let second: RunningNode;
let third: RunningNode;
/** Of all three parties. */
let contract: string;
let creation: string;

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
  creation = created.hash;
});
afterAll(() => network?.stop());

async function increment(sender: RunningNode, more: number, privateFor: readonly string[]): Promise<string> {
  const data = accumulator.interface.encodeFunctionData('inc', [more]);
  return (await sendAndMine(sender, nodes, { to: contract, data, privateFor })).hash;
}

/** What a node says of the other parties, by their keys, once none is pending. */
async function agreementAt(node: RunningNode, hash: string): Promise<Record<string, string>> {
  const parties = await settledParties(node, hash);
  return Object.fromEntries(parties.map(({ ptmKey, agreement, reason }) => [ptmKey, reason ?? agreement]));
}

const contractAt = (node: RunningNode) =>
  node.result<ContractAgreementView>('privacy_getContractAgreement', [contract]);

describe('parties of a contract', () => {
  it('agree on its creation, as the sender says of all and each recipient of the sender', async () => {
    expect(await agreementAt(first, creation)).toEqual({ [B]: 'agreed', [C]: 'agreed' });
    expect(await agreementAt(second, creation)).toEqual({ [A]: 'agreed' });
    expect(await agreementAt(third, creation)).toEqual({ [A]: 'agreed' });
  });

  it('have the same state of it', async () => {
    const { parties } = await contractAt(first);
    expect(parties.map(({ agreement }) => agreement)).toEqual(['agreed', 'agreed']);
  });

  it('learn which of them was left out of a transaction', async () => {
    const hash = await increment(first, 1, [B]);
    expect(await agreementAt(first, hash)).toEqual({ [B]: 'agreed' });
    const { parties } = await contractAt(first);
    expect(parties.find(({ ptmKey }) => ptmKey === C)).toMatchObject({ agreement: 'leftOut' });
  });

  it('find at both ends that they diverge, with what each has signed', async () => {
    const hash = await increment(first, 2, [C]);
    expect(await agreementAt(first, hash)).toEqual({ [C]: 'diverged' });
    expect(await agreementAt(third, hash)).toEqual({ [A]: 'diverged' });
    for (const [node, own, other] of [
      [first, A, C],
      [third, C, A],
    ] as const) {
      await until(async () => (await evidence(node, hash)).other?.outcome !== undefined);
      const found = await evidence(node, hash);
      expect(found.firstDifference).toBe(hash);
      const [mine, theirs] = [found.own, found.other].map((said) =>
        openBlockStatement(bytesFromHex((said?.statement as unknown as `0x${string}`) ?? '0x')),
      );
      expect(mine).toMatchObject({ from: own, to: other });
      expect(theirs).toMatchObject({ from: other, to: own, signer: found.node });
      expect(mine?.digest).not.toBe(theirs?.digest);
    }
  });

  it('are listed with the parties and the blocks, from a block on', async () => {
    const all = await first.result<DisagreementsView>('privacy_listDisagreements', []);
    expect(all.parties.map(({ ptmKey }) => ptmKey).sort()).toEqual([B, C].sort());
    const [one, ...others] = all.disagreements;
    expect([one, others]).toMatchObject([{ ptmKey: C, ownPtmKey: A, state: 'diverged' }, []]);
    const later = await first.result<DisagreementsView>('privacy_listDisagreements', [
      (one?.blockNumber ?? 0) + 1,
    ]);
    expect(later.disagreements).toEqual([]);
    const wrong = await first.call('privacy_listDisagreements', ['never']);
    expect(JSON.stringify(wrong.error)).toContain('since');
  });

  it('are listed by a check, which compares older blocks anew', async () => {
    const config = { rpcUrl: new URL(first.url), rpcTokenFile: undefined, contract: parseAddress(contract) };
    const checked = await checkAgreement({ ...config, since: undefined, wait: 60_000 });
    expect(checked.isDiverged).toBe(true);
    expect(checked.text).toMatch(new RegExp(`block \\d+  ${escaped(C)} has another result: transaction 0x`));
    expect(checked.text).toContain(`${C} has another result: block`);
    expect(checked.text).toContain(`${B} was left out of later transactions`);
    const anew = await checkAgreement({ ...config, since: 0, wait: 60_000 });
    const compared = (text: string) => text.split('\n').filter((line) => /^(?:block|contract)/.test(line));
    expect(compared(anew.text)).toEqual(compared(checked.text));
    expect(anew.text).toContain(`party ${B}  compared from block 0 on`);
    const late = await first.call('privacy_compareSince', [1_000_000]);
    expect(late.error?.data).toMatchObject({ reason: 'BLOCK_NOT_FOUND' });
  });

  it('show it in their metrics', async () => {
    for (const [node, diverged] of [
      [first, 1],
      [second, 0],
      [third, 1],
    ] as const) {
      const lines = [
        `node_agreement_blocks{state="diverged"} ${diverged}\n`,
        'node_agreement_oldest_pending_seconds 0\n',
      ];
      // What is read from the database for a scrape may come with the next one, and the last blocks may still be pending.
      await until(async () => {
        const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
        return lines.every((line) => text.includes(line));
      });
    }
  });

  it('agree again on other contracts', async () => {
    const { hash } = await sendAndMine(third, nodes, { data: accumulator.creation(1), privateFor: [A, B] });
    expect(await agreementAt(third, hash)).toEqual({ [A]: 'agreed', [B]: 'agreed' });
  });
});

const escaped = (text: string) => text.replace(/[+/=]/g, (one) => `\\${one}`);

async function evidence(node: RunningNode, hash: string) {
  const found = await node.result<TransactionAgreementView>('privacy_getAgreement', [hash]);
  return found.parties[0] as TransactionAgreementView['parties'][number];
}

describe('a node', () => {
  it('says null of a transaction of which it is no party', async () => {
    const { hash } = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [B] });
    expect(await third.result('privacy_getAgreement', [hash])).toBeNull();
    expect(await agreementAt(first, hash)).toEqual({ [B]: 'agreed' });
  });

  it('names the field of what is no hash, and no address', async () => {
    const answer = await first.call('privacy_getAgreement', ['0x12']);
    expect(JSON.stringify(answer.error)).toContain('hash');
    const other = await first.call('privacy_getContractAgreement', ['0x12']);
    expect(JSON.stringify(other.error)).toContain('address');
  });
});
