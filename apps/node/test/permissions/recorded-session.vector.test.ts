import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  LISTS,
  accountNamed,
  inOrder,
  recordedPermissions,
  resultInOrder,
  type MinedView,
  type PermissionLists,
  type PermissionStep,
} from '../recorded-permissions.js';
import { heldEntries, listedEntries } from '../contract-lists.js';
import { foreseenAddresses } from '../permissioned-network.js';
import { startFollower, startValidator, urlOf } from '../permission-session.js';
import { post, type RunningNode } from '../running-node.js';
import { heightOf } from '../validator-network.js';

const SESSION = recordedPermissions();

/** The parts of a step that are compared; `undefined` for absent parts. */
interface Outcome {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly mined?: Omit<MinedView, 'gasUsed'> & { readonly gasUsed?: string };
  readonly after: PermissionLists;
}

/** What differs on purpose: the steps, why, and what comes instead. */
interface Difference {
  readonly steps: readonly number[];
  readonly why: string;
  readonly instead: (recorded: Outcome) => Outcome;
}

const refused = (message: string) => (recorded: Outcome) => ({
  after: recorded.after,
  error: { code: -32000, message },
});
/** As another step was, with the same events. */
const doneAs =
  (step: number) =>
  ({ after }: Outcome): Outcome => ({ ...recordedOutcome(SESSION[step] as PermissionStep), after });
const withAccount = (name: string, changes: object) => (recorded: Outcome) => {
  const acctList = recorded.after.acctList.map((entry) =>
    entry['acctId'] === accountNamed(name) ? { ...entry, ...changes } : entry,
  );
  return { ...recorded, after: { ...recorded.after, acctList } };
};
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const DIFFERENCES: readonly Difference[] = [
  {
    steps: [7],
    why: 'the raft port may be left out (interface)',
    instead: ({ after }) => ({ after, result: true }),
  },
  {
    steps: [43],
    why: 'a sender that is missing is named as the field that it is (docs/adr/0066)',
    instead: ({ after }) => ({ error: { code: -32602, message: '' }, after }),
  },
  {
    steps: [64],
    why: 'the pool says by how much',
    instead: refused(
      'failed to execute permissions action: intrinsic gas too low: gas 256, minimum needed 24892',
    ),
  },
  {
    steps: [207, 241, 255],
    why: 'an account that the contracts do not know crashes GoQuorum (docs/adr/0066)',
    instead: refused('Account does not exist'),
  },
  {
    steps: [298, 312],
    why: 'an organization that the contracts do not know crashes GoQuorum (docs/adr/0066)',
    instead: refused('Org does not exist'),
  },
  {
    steps: range(380, 446),
    why: 'GoQuorum forgets the sub-organizations of one whose status changes, until it is started again (docs/adr/0086)',
    instead: ({ after, ...rest }) => ({ ...rest, after: { ...after, orgList: withSubOrgs(after.orgList) } }),
  },
  {
    steps: [443],
    why: 'a vote names the organization that was proposed (docs/adr/0066)',
    instead: (recorded) =>
      withAccount('U2', { status: 1 })(refused('Nothing to approve')(recorded) as Outcome),
  },
  {
    steps: [444],
    why: 'so the vote comes here',
    instead: doneAs(346),
  },
  {
    steps: range(444, 451),
    why: 'and replaces the admin of that organization, where the other vote left it two',
    instead: withAccount('OA2', { status: 6, isOrgAdmin: false }),
  },
  {
    steps: [445],
    why: 'the recorder waited at the node that its own action cuts off',
    instead: doneAs(282),
  },
  {
    steps: [448],
    why: 'a network admin is not proposed as one again, which could not be undone (docs/adr/0066)',
    instead: refused('Account already org admin for the org'),
  },
  { steps: [449, 450], why: 'so nothing is pending', instead: refused('Nothing to approve') },
  {
    steps: range(448, 451),
    why: 'and the admin stays one',
    instead: withAccount('NA2', { status: 2 }),
  },
  {
    steps: [451],
    why: 'so the next organization can be proposed',
    instead: ({ after }) => doneAs(67)({ after: withProposal(after) }),
  },
];

/** Not asked of a node: a node is started, one is looked at, one is started again. */
const OF_THE_RECORDER = new Set(['START1', 'PEERS', 'RESTART0']);

let validator: RunningNode;
let follower: RunningNode | undefined;
/** The newest block in which something happened. */
let height = 0;
beforeAll(async () => {
  validator = await startValidator();
});
afterAll(async () => {
  await follower?.stop();
  await validator?.stop();
});

it('a session with GoQuorum has the same results, errors, receipts and lists at every step but those named', async () => {
  const [here, there]: [object[], object[]] = [[], []];
  for (const step of SESSION) {
    if (step.method === 'START1') follower = await startFollower(validator);
    const outcome = OF_THE_RECORDER.has(step.method) ? await look(step) : await perform(step);
    if (step.method === 'RESTART0') await expectHeld();
    const [ours, theirs] = [written(outcome), written(expected(step))];
    if (JSON.stringify(ours) === JSON.stringify(theirs)) continue;
    const { n, name } = step;
    here.push({ n, name, ...ours });
    there.push({ n, name, ...theirs });
  }
  // All at once: what differs at one step often explains the next.
  expect(here).toEqual(there);
  await expectHeld();
}, 1_800_000);

it('the listed differences exist', () => {
  for (const { steps, instead } of DIFFERENCES)
    for (const step of steps.filter((n) => !OF_THE_RECORDER.has(SESSION[n]?.method ?? ''))) {
      const outcome = recordedOutcome(SESSION[step] as PermissionStep);
      expect(JSON.stringify(instead(outcome))).not.toBe(JSON.stringify(outcome));
    }
});

/** The node, which followed the events, lists what it would read from the contracts at a start. */
async function expectHeld(): Promise<void> {
  const ask = <T>(method: string, ...params: unknown[]) => validator.result<T>(method, params);
  const contracts = { model: 'v1', addresses: foreseenAddresses() } as const;
  expect(await listedEntries(ask)).toEqual(await heldEntries(ask, contracts));
}

/** With members in their order, which `toEqual` does not look at. */
function written({ after, ...outcome }: Outcome): object {
  const text = (value: unknown) => JSON.stringify(value);
  const { orgList, acctList, nodeList, roleList } = inOrder(after);
  return { ...outcome, lists: [orgList, acctList, nodeList, roleList].map((list) => list.map(text)) };
}

function recordedOutcome({ method, result, error, mined, after }: PermissionStep): Outcome {
  const gas = (view: MinedView) =>
    // Our contracts have other code than GoQuorum's, and so take other gas.
    method === 'eth_sendTransaction' ? { gasUsed: view.gasUsed } : {};
  if (method === 'PEERS') return { result: listedIn(result), after };
  if (OF_THE_RECORDER.has(method)) return { after };
  return {
    ...(result === undefined ? {} : { result: resultInOrder(result) }),
    // The texts of -32602 are of the language that GoQuorum is written in.
    ...(error === undefined ? {} : { error: error.code === -32602 ? { ...error, message: '' } : error }),
    ...(typeof mined === 'object'
      ? { mined: { status: mined.status, topics: mined.topics, ...gas(mined), ...revertOf(mined.revert) } }
      : {}),
    after,
  };
}

/** Running out of gas has no text. */
function revertOf(text: string | undefined): { readonly revert?: string } {
  return text?.includes(': ') === true ? { revert: text } : {};
}

function expected(step: PermissionStep): Outcome {
  const applying = DIFFERENCES.filter(({ steps }) => steps.includes(step.n));
  return applying.reduce((outcome, { instead }) => instead(outcome), recordedOutcome(step));
}

function withSubOrgs(orgs: PermissionLists['orgList']): PermissionLists['orgList'] {
  return orgs.map((org) => {
    if (org['fullOrgId'] !== 'ORGA') return org;
    return { ...org, subOrgList: ['ORGA.S1', 'ORGA.S2', 'ORGA.S3'] };
  });
}

function withProposal(after: PermissionLists): PermissionLists {
  const orgId = 'ORGC';
  const place = { fullOrgId: orgId, parentOrgId: '', ultimateParent: orgId, level: 1, subOrgList: null };
  const account = { orgId, roleId: 'ORGADMIN', acctId: accountNamed('OB1'), isOrgAdmin: true, status: 1 };
  return {
    ...after,
    orgList: [...after.orgList, { orgId, ...place, status: 1 }],
    nodeList: [...after.nodeList, { orgId, url: urlOf(20), status: 1 }],
    acctList: [...after.acctList, account],
  };
}

async function perform(step: PermissionStep): Promise<Outcome> {
  const node = step.node === 1 ? (follower as RunningNode) : validator;
  const { method, params = [] } = step;
  if (step.node === 1) await until(async () => (await heightOf(node)) >= height, 5);
  const from = (params.at(-1) as { readonly from?: string } | undefined)?.from;
  const before = { height: await heightOf(validator), nonce: from && (await nonceOf(from)) };
  const { result, error } = await node.call(method, params);
  if (error !== undefined) {
    const { code, message } = error;
    if (from !== undefined && REFUSED_BY_RULE.has(message)) await expectExplained(node, step, error.data);
    return { error: { code, message: code === -32602 ? '' : message }, after: await lists() };
  }
  const isSent = method === 'eth_sendTransaction' || result === 'Action completed successfully';
  if (!isSent || from === undefined) return { result: resultInOrder(result), after: await lists() };
  await until(async () => (await nonceOf(from)) !== before.nonce, 5);
  const mined = await minedBy(from, { above: before.height, isPlain: method === 'eth_sendTransaction' });
  const answer = method === 'eth_sendTransaction' ? '$HASH' : result;
  return { result: answer, mined, after: await lists() };
}

const REFUSED_BY_RULE = new Set([
  'account does not have permission for the transaction',
  'cannot send transaction from this node',
]);

/** A refusal of the pool names the rule that `chainPermission_explain` has for it. */
async function expectExplained(node: RunningNode, { method, params = [] }: PermissionStep, data: unknown) {
  const [request] = params as readonly [{ from: string; to?: string; data?: string; input?: string }];
  expect(method).toBe('eth_sendTransaction');
  const input = request.data ?? request.input ?? '0x';
  const action = (request.to ?? undefined) === undefined ? 'deploy' : input === '0x' ? 'transfer' : 'call';
  const found = await node.result<object>('chainPermission_explain', ['account', request.from, action]);
  expect(found).toMatchObject({ isAllowed: false, rule: (data as { rule?: string }).rule });
}

const nonceOf = (account: string) => validator.result<string>('eth_getTransactionCount', [account, 'latest']);

async function lists(): Promise<PermissionLists> {
  const found = await Promise.all(
    LISTS.map(async (name) => [name, (await post(validator.url, `chainPermission_${name}`, [])).result]),
  );
  return Object.fromEntries(found) as PermissionLists;
}

interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly input: string;
}

/** What became of the account's transaction, the only one in the blocks above. */
async function minedBy(
  from: string,
  { above, isPlain }: { above: number; isPlain: boolean },
): Promise<NonNullable<Outcome['mined']>> {
  const head = await heightOf(validator);
  for (let number = above + 1; number <= head; number++) {
    const tag = `0x${number.toString(16)}`;
    const block = await validator.result<{ transactions: Sent[] }>('eth_getBlockByNumber', [tag, true]);
    const own = block.transactions.find((one) => one.from === from);
    if (own === undefined) continue;
    height = number;
    const { status, gasUsed, logs } = (await validator.mined(own.hash)) as unknown as MinedView & {
      readonly logs: readonly { readonly topics: readonly string[] }[];
    };
    const topics = logs.map((log) => String(log.topics[0]).slice(0, 10));
    const view = { status, topics, ...(isPlain ? { gasUsed } : {}) };
    if (status === '0x1') return view;
    const { to, input } = own;
    const parent = `0x${(number - 1).toString(16)}`;
    const { error } = await validator.call('eth_call', [{ from, to, input }, parent]);
    return { ...view, ...revertOf(error?.message) };
  }
  throw new Error(`no block has a transaction of ${from}`);
}

/** The nodes that the recorded node had in its file. */
function listedIn(result: unknown): readonly string[] {
  return [...(result as { readonly permissionedFile: readonly string[] }).permissionedFile].sort();
}

/** What is there without asking: the lists, and the node's file of those it lets in, which it writes in its own time. */
async function look({ method, result }: PermissionStep): Promise<Outcome> {
  if (method !== 'PEERS') return { after: await lists() };
  const wanted = JSON.stringify(listedIn(result));
  const listed = async () => {
    const text = await readFile(join(validator.folder, 'permissioned-nodes.json'), 'utf8');
    return (JSON.parse(text) as string[]).sort();
  };
  for (let tries = 0; tries < 50 && JSON.stringify(await listed()) !== wanted; tries++)
    await new Promise((tick) => setTimeout(tick, 100));
  return { result: await listed(), after: await lists() };
}
