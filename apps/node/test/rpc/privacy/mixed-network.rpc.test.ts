import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DisagreementsView } from '@tetrad/api-node';
import { freePort } from '@tetrad/testkit';
import { LinkBetween } from '../../../../../libs/transaction-manager/test/link-between.js';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { compiled, sendAndMine, valuesAt } from './private-contracts.js';
import { settledParties } from './settled-parties.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accumulator = compiled('Accumulator.sol', 'Accumulator');
/** What a Tessera serves to others of its kind. Source: Consensys/tessera, the resources of its P2P application */
const OF_TESSERA = new Set([
  '/upcheck',
  '/version',
  '/version/api',
  '/version/distribution',
  '/partyinfo',
  '/partyinfo/validate',
  '/push',
  '/resend',
  '/resendBatch',
  '/pushBatch',
  '/pushPrivacyGroup',
]);

/**
 * The third party is as in a network that moves node by node: its node states no results, and its manager, as the others see
 * it, is a Tessera: a path of ours is not there, and no header says that it is.
 */
let network: PrivacyNetwork;
let link: LinkBetween;
let nodes: readonly RunningNode[];
let first: RunningNode;
let second: RunningNode;
let third: RunningNode;
let contract: string;

beforeAll(async () => {
  const port = await freePort();
  link = await LinkBetween.start();
  link.target = `http://127.0.0.1:${port}/`;
  link.interference = {
    lacks: (path) => !OF_TESSERA.has(path),
    answer(headers) {
      for (const name of Object.keys(headers)) if (name.startsWith('tetrad-')) delete headers[name];
    },
  };
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    modules: 'eth,net,web3,debug,admin,eea,priv,privacy',
    flagsOf: (index) => (index === 2 ? ['--state-results', 'false'] : []),
    managerOptionsOf: (index) => (index === 2 ? { url: link.url, peer: { host: '127.0.0.1', port } } : {}),
  });
  ({ nodes } = network);
  [first, second, third] = nodes as [RunningNode, RunningNode, RunningNode];
  const created = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [B, C] });
  contract = String(created.receipts[0]?.contractAddress);
});
afterAll(async () => {
  await network?.stop();
  await link?.end();
});

const increment = (sender: RunningNode, more: number, privateFor: readonly string[]) =>
  sendAndMine(sender, nodes, {
    to: contract,
    data: accumulator.interface.encodeFunctionData('inc', [more]),
    privateFor,
  });

/** What a node says of the other parties, by their keys, once none is pending. */
async function agreementAt(node: RunningNode, hash: string): Promise<Record<string, string>> {
  const parties = await settledParties(node, hash);
  return Object.fromEntries(
    parties.map(({ ptmKey, agreement, reason }) => [ptmKey, [agreement, reason].filter(Boolean).join(' ')]),
  );
}

describe('a network in which one party has a manager of the original', () => {
  it('executes what each party sends to the others, with equal results', async () => {
    const others: readonly (readonly [RunningNode, readonly string[]])[] = [
      [first, [B, C]],
      [second, [A, C]],
      [third, [A, B]],
    ];
    for (const [sender, privateFor] of [...others, ...others]) {
      const { receipts } = await increment(sender, 1, privateFor);
      expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
    }
    expect(await valuesAt(nodes, accumulator, contract, 'get')).toEqual([7, 7, 7]);
  });

  it('agrees between those that state results, and tells why it does not know of the other', async () => {
    const { hash } = await increment(first, 1, [B, C]);
    expect(await agreementAt(first, hash)).toEqual({ [B]: 'agreed', [C]: 'cannotTell noMessages' });
    expect(await agreementAt(second, hash)).toEqual({ [A]: 'agreed' });
    const ofThird = await increment(third, 1, [A, B]);
    expect(await agreementAt(first, ofThird.hash)).toEqual({ [C]: 'cannotTell noMessages' });
  });

  it('reports no divergence of it', async () => {
    for (const node of [first, second]) {
      const { disagreements } = await node.result<DisagreementsView>('privacy_listDisagreements', []);
      expect(disagreements.filter(({ state }) => state === 'diverged')).toEqual([]);
    }
  });

  it('asked the original manager for nothing that it does not know', async () => {
    expect(link.messages).toBe(0);
    expect(link.paths.has('/push')).toBe(true);
    expect([...link.paths].filter((path) => !OF_TESSERA.has(path))).toEqual([]);
  });
});
