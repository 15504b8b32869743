import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DisagreementsView, TransactionAgreementView } from '@tetrad/api-node';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { checkAgreement } from '../../../src/commands/check-agreement-command.js';
import {
  PATIENCE,
  RECORDED_KEYS,
  privacyGenesis,
  recordedAccounts,
  startManager,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { connect } from '../../validator-network.js';
import { contracts, creationOf, sendAndMine } from './private-contracts.js';

const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const MODULES = 'eth,net,web3,debug,admin,eea,priv,privacy';
const accounts = recordedAccounts(2);

let network: PrivacyNetwork;
let manager: TestManager;
let database: TestDatabase;
/** Names the second node's key from the first block on. */
let first: RunningNode;
/** Is started with another choice of its operator in each part. */
let second: RunningNode | undefined;
/** A contract of both, which reads one of the first node alone. */
let outer: string;

const other = () => second as RunningNode;
const nodes = () => [first, other()];

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS.slice(0, 1),
    accounts: accounts.slice(0, 1),
    modules: MODULES,
    flags: ['--disclose-results-to', B],
  });
  [first] = network.nodes as [RunningNode];
  const peers = network.managers.map(({ peerUrl }) => peerUrl);
  manager = await startManager(RECORDED_KEYS[1] as (typeof RECORDED_KEYS)[number], { peers });
  database = await createTestDatabase('node');
  await startSecond([]);
  await until(async () => network.managers[0]?.parties.entries.some(({ key }) => key === B) === true);
  const inner = await create([A], creationOf('C1', 42));
  outer = await create([B], creationOf('C2', inner));
});
afterAll(async () => {
  await second?.stop();
  await manager?.end();
  await database?.drop();
  await network?.stop();
});

async function startSecond(flags: readonly string[]): Promise<void> {
  await second?.stop();
  second = undefined;
  second = await startNode([...PATIENCE, '--peer-exchange', 'false', '--ptm-url', manager.url, ...flags], {
    genesis: privacyGenesis(accounts.slice(0, 1)),
    nodeKey: Buffer.alloc(32, 0x51),
    held: accounts.slice(1),
    modules: MODULES,
    // It outlives the node.
    database: { url: database.url, drop: async () => undefined },
  });
  await connect(nodes());
}

async function create(privateFor: readonly string[], data: string): Promise<string> {
  const { receipts } = await sendAndMine(first, nodes(), { data, privateFor });
  return String(receipts[0]?.contractAddress);
}

/** Succeeds at the first node, and reverts at the second one, which has nothing to read. */
async function apart(): Promise<string> {
  const data = contracts.encodeFunctionData('restoreFromC1');
  const { hash, receipts } = await sendAndMine(first, nodes(), { to: outer, data, privateFor: [B] });
  expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x0']);
  return hash;
}

async function agreementAt(node: RunningNode, hash: string): Promise<string | undefined> {
  const found = await node.result<TransactionAgreementView>('privacy_getAgreement', [hash]);
  const [party] = found.parties;
  return party?.reason ?? party?.agreement;
}

/** Waits until the first and the second node say so. */
const become = (hash: string, atFirst: string, atSecond: string) =>
  until(
    async () =>
      (await agreementAt(first, hash)) === atFirst && (await agreementAt(other(), hash)) === atSecond,
  );

const check = (node: RunningNode, since: number | undefined) =>
  checkAgreement({
    rpcUrl: new URL(node.url),
    rpcTokenFile: undefined,
    contract: undefined,
    since,
    wait: 60_000,
  });

/** What the other party has told of the transaction. */
async function outcomeAt(node: RunningNode, hash: string): Promise<unknown> {
  const found = await node.result<TransactionAgreementView>('privacy_getAgreement', [hash]);
  return found.parties[0]?.other?.outcome;
}

const sent = { byOne: '', byBoth: '', afterwards: '' };

describe('where one end alone names the other', () => {
  it('the one that is named sees the divergence, the one that names it that nothing is disclosed to it', async () => {
    sent.byOne = await apart();
    await become(sent.byOne, 'undisclosedThere', 'diverged');
    await until(async () => (await outcomeAt(other(), sent.byOne)) !== undefined);
    expect(await outcomeAt(first, sent.byOne)).toBeUndefined();
  });

  it('a check fails at the one that is named, and comparing anew changes nothing', async () => {
    for (const since of [undefined, 0]) {
      expect((await check(other(), since)).isDiverged).toBe(true);
      expect((await check(first, since)).isDiverged).toBe(false);
    }
    await become(sent.byOne, 'undisclosedThere', 'diverged');
  });
});

describe('where the other one names it back, after a restart', () => {
  it('both see the divergence of later transactions, and not that of earlier ones', async () => {
    await startSecond(['--disclose-results-to', A]);
    sent.byBoth = await apart();
    await become(sent.byBoth, 'diverged', 'diverged');
    await until(async () => (await outcomeAt(first, sent.byBoth)) !== undefined);
    expect(await agreementAt(first, sent.byOne)).toBe('undisclosedThere');
  });

  it('both see that of earlier ones once a check compares them anew', async () => {
    expect((await check(other(), 0)).text).toContain('compared from block 0 on');
    await become(sent.byOne, 'diverged', 'diverged');
    const { disagreements } = await first.result<DisagreementsView>('privacy_listDisagreements', [0]);
    expect(disagreements.map(({ state }) => state)).toEqual(['diverged', 'diverged']);
  });
});

describe('where the key is removed, after another restart', () => {
  it('nothing of later transactions is disclosed, and what was told stays told', async () => {
    await startSecond([]);
    sent.afterwards = await apart();
    await become(sent.afterwards, 'undisclosedThere', 'diverged');
    expect(await outcomeAt(first, sent.afterwards)).toBeUndefined();
    await become(sent.byBoth, 'diverged', 'diverged');
  });

  it('comparing anew discloses nothing, also of blocks that were disclosed before, and convicts neither of them', async () => {
    await check(other(), 0);
    await check(first, 0);
    for (const hash of Object.values(sent)) {
      await become(hash, 'undisclosedThere', 'diverged');
      expect(await outcomeAt(first, hash)).toBeUndefined();
    }
    for (const node of nodes()) {
      const text = await (await fetch(`${node.opsUrl}/metrics`)).text();
      expect(text).not.toMatch(/node_agreement_heard_total\{result="contradicted"\} [1-9]/);
    }
  });
});
