import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import { planRaftNetwork, startRaftNode, type RaftNetworkPlan } from '../../raft-network.js';
import { reasonOf, startNode, type RpcAnswer, type RunningNode } from '../../running-node.js';
import { describeWithEtcd, startTestEtcd, type TestEtcd } from '../../test-etcd.js';
import type { Name } from '../../validator-chain.js';
import { heightOf, sendThrough } from '../../validator-network.js';

interface ClusterNode {
  readonly raftId: number;
  readonly nodeId: string;
  readonly hostname: string;
  readonly hostName: string;
  readonly p2pPort: number;
  readonly raftPort: number;
  readonly role: string;
  readonly nodeActive: boolean;
}

/** What a refusal says: its reason and its text. */
const refusal = (answer: RpcAnswer) => [reasonOf(answer), answer.error?.message];

describeWithEtcd('the raft methods, on three nodes and a fourth', () => {
  const founders: readonly Name[] = ['A', 'B', 'C'];
  const names: readonly Name[] = [...founders, 'D'];
  const nodes = new Map<Name, RunningNode>();
  let etcd: TestEtcd;
  let plan: RaftNetworkPlan;
  beforeAll(async () => {
    etcd = await startTestEtcd(1);
    plan = await planRaftNetwork(names);
    for (const name of founders) await start(name, plan.enodes.slice(0, 3));
    for (const one of nodes.values()) await until(async () => (await one.result('raft_role')) !== '');
  });
  afterAll(async () => {
    await Promise.all([...nodes.values()].map((one) => one.stop()));
    await etcd?.close();
  });

  async function start(name: Name, enodes: readonly string[]): Promise<RunningNode> {
    const one = await startRaftNode(etcd, plan, name, { enodes });
    nodes.set(name, one);
    return one;
  }

  const node = (name: Name) => nodes.get(name) as RunningNode;
  const cluster = (one: RunningNode) => one.result<ClusterNode[]>('raft_cluster');
  const roleOf = (name: Name) => node(name).result<string>('raft_role');
  const enodeOf = (name: Name) => plan.enodes[names.indexOf(name)] as string;
  const nodeIdOf = (name: Name) => enodeOf(name).slice('enode://'.length, 'enode://'.length + 128);
  async function minter(): Promise<Name> {
    for (;;) for (const name of nodes.keys()) if ((await roleOf(name)) === 'minter') return name;
  }

  /** Whether a node has a vote; which of those that have one is minter may change on a busy host. */
  const votes = async (name: Name) => ['minter', 'verifier'].includes(await roleOf(name));

  /** What all of them say of the leader, the roles and the members, read one after the other. */
  async function readAll() {
    const leader = await minter();
    const views: { leader: unknown; role: string; members: ClusterNode[] }[] = [];
    for (const name of founders) {
      const answer = await node(name).call('raft_leader');
      views.push({ leader: answer.result, role: await roleOf(name), members: await cluster(node(name)) });
    }
    return { leader, views };
  }

  it('return the same roles, leader and members on every node, itself last', async () => {
    const expected = (leader: Name) =>
      founders.map((own) => ({
        leader: nodeIdOf(leader),
        role: own === leader ? 'minter' : 'verifier',
        members: [...founders.filter((name) => name !== own), own].map((name) => ({
          raftId: founders.indexOf(name) + 1,
          nodeId: nodeIdOf(name),
          hostname: '127.0.0.1',
          hostName: '127.0.0.1',
          p2pPort: plan.ports[founders.indexOf(name)],
          raftPort: 50_400 + founders.indexOf(name),
          nodeActive: true,
          role: name === leader ? 'minter' : 'verifier',
        })),
      }));
    let read = await readAll();
    // Another one may be elected between two of the questions.
    for (let tries = 0; tries < 20 && !isDeepStrictEqual(read.views, expected(read.leader)); tries++)
      read = await readAll();
    expect(read.views).toEqual(expected(read.leader));
  });

  it.each([
    ['http://x', 'invalid URL scheme, want "enode"'],
    ['enode://@1.1.1.1:1', 'does not contain node ID'],
    [
      `enode://${'bb'.repeat(64)}@127.0.0.1:21999?discport=0`,
      'invalid public key (invalid secp256k1 public key)',
    ],
    ['enode://zz@1.1.1.1:1', "invalid public key (encoding/hex: invalid byte: U+007A 'z')"],
  ])('refuse to add %s as GoQuorum does', async (url, text) => {
    for (const method of ['raft_addPeer', 'raft_addLearner'])
      expect(refusal(await node('A').call(method, [url]))).toEqual(['INVALID_ENODE', text]);
  });

  it('refuse invalid addresses, in the order of GoQuorum', async () => {
    const stranger = enodeOf('D');
    const [base] = stranger.split('?');
    const add = async (url: string) => refusal(await node('A').call('raft_addPeer', [url]));
    expect(await add(`${base}?discport=0`)).toEqual([
      'INVALID_ENODE',
      `enodeId is missing raftport querystring parameter: ${base}?discport=0`,
    ]);
    expect(await add(stranger.replace('127.0.0.1', 'arbitraryHostName'))).toEqual([
      'INVALID_ENODE',
      'raft must enable dns to use hostname',
    ]);
    expect(await add(stranger.replace('127.0.0.1', '[::1]'))).toEqual([
      'INVALID_ENODE',
      'expected IPv4 address (with length 4), but got IP of length 16',
    ]);
    expect(await add(stranger.replace(/@.*/, '@:21000?discport=0&raftport=50400'))).toEqual([
      'INVALID_ENODE',
      'empty hostname in raft url',
    ]);
    expect(await add(enodeOf('A'))).toEqual([
      'ALREADY_IN_CLUSTER',
      expect.stringMatching(
        /^enode is this enode \(self\): node with this enode has already been added to the cluster: [0-9a-f]{64}$/,
      ),
    ]);
    expect(await add(enodeOf('B'))).toEqual([
      'ALREADY_IN_CLUSTER',
      expect.stringMatching(/^node with this enode has already been added to the cluster: [0-9a-f]{64}$/),
    ]);
    const at = (p2p: number, raft: number) =>
      `${base?.replace(/@.*/, '')}@127.0.0.1:${p2p}?discport=0&raftport=${raft}`;
    expect(await add(at(plan.ports[1] ?? 0, 1))).toEqual([
      'ENDPOINT_IN_USE',
      expect.stringMatching(
        /^existing node [0-9a-f]{64} with raft ID 2 is already using eth p2p at 127\.0\.0\.1:/,
      ),
    ]);
    expect(await add(at(1, 50_402))).toEqual([
      'ENDPOINT_IN_USE',
      expect.stringMatching(
        /^existing node [0-9a-f]{64} with raft ID 3 is already using raft at 127\.0\.0\.1:50402$/,
      ),
    ]);
    expect(await cluster(node('A'))).toHaveLength(3);
  });

  it('refuse to promote a member that is not a learner, and take an id as text or as a number', async () => {
    for (const id of [2, '2', 9])
      expect(refusal(await node('A').call('raft_promoteToPeer', [id]))).toEqual([
        'NOT_A_LEARNER',
        `${id} is not a learner. only learner can be promoted to peer`,
      ]);
    for (const id of ['x', -1, 65_536, null])
      expect((await node('A').call('raft_promoteToPeer', [id])).error?.code).toBe(-32602);
  });

  it('add a learner, which follows and transacts, but may change nothing and does not count', async () => {
    // On a node that is not the leader, as all of this works on any voter.
    expect(await node('B').result('raft_addLearner', [enodeOf('D')])).toBe(4);
    expect(refusal(await node('A').call('raft_addLearner', [enodeOf('D')]))[0]).toBe('ALREADY_IN_CLUSTER');
    // While it does not run, it would take the cluster its quorum.
    expect(refusal(await node('A').call('raft_promoteToPeer', [4]))).toEqual([
      'CLUSTER_REFUSED',
      'can only promote a learner member which is in sync with leader',
    ]);
    const learner = await start('D', plan.enodes);
    await until(async () => (await roleOf('D')) === 'learner');
    await sendThrough(learner, [...nodes.values()]);
    const refusals: readonly [string, unknown, string][] = [
      ['raft_addPeer', enodeOf('A'), "learner node can't add peer or learner"],
      ['raft_addLearner', 'http://x', "learner node can't add peer or learner"],
      ['raft_promoteToPeer', 4, "learner node can't promote to peer"],
      ['raft_removePeer', 1, "learner node can't remove other peer"],
    ];
    for (const [method, param, text] of refusals)
      expect(refusal(await learner.call(method, [param]))).toEqual(['LEARNER_NOT_ALLOWED', text]);
  });

  it('promote it once it follows', async () => {
    await until(async () => (await node('A').call('raft_promoteToPeer', [4])).result === true);
    await until(() => votes('D'));
    await sendThrough(node('D'), [...nodes.values()]);
  });

  it('remove the minter, which another one replaces, and never reuse its id', async () => {
    const gone = await minter();
    const raftId = names.indexOf(gone) + 1;
    const others = [...nodes.keys()].filter((name) => name !== gone).map(node);
    const [other] = others as [RunningNode];
    expect(await other.result('raft_removePeer', [raftId])).toBeNull();
    await until(async () => (await roleOf(gone)) === '');
    expect(await cluster(node(gone))).toEqual([]);
    expect(refusal(await node(gone).call('raft_removePeer', [1]))).toEqual([
      'NOT_A_CLUSTER_MEMBER',
      'node not part of raft cluster. operations not allowed',
    ]);
    await sendThrough(other, others);
    expect(await cluster(other)).toHaveLength(3);
    // Removing an unknown id has no effect, and does not use the id up.
    expect(await other.result('raft_removePeer', [17])).toBeNull();
    expect(await other.result('raft_addPeer', [enodeOf(gone)])).toBe(5);
    await until(() => votes(gone));
    await sendThrough(node(gone), [...nodes.values()]);
  });

  it('give two that are added at once different ids', async () => {
    const ids = await Promise.all(
      [11, 12].map((fill, index) => {
        const id = Buffer.from(publicKeyFromPrivateKey(new Uint8Array(32).fill(fill))).toString('hex');
        const url = `enode://${id}@127.0.0.1:${index + 1}?discport=0&raftport=${index + 1}`;
        return node(index === 0 ? 'A' : 'B').result<number>('raft_addLearner', [url]);
      }),
    );
    expect([...ids].sort()).toEqual([6, 7]);
    for (const id of ids) expect(await node('A').result('raft_removePeer', [id])).toBeNull();
  });

  it('stop minting when half of the voters are gone, and go on when they are back', async () => {
    const voters = (await cluster(node('A'))).filter(({ role }) => role !== 'learner');
    expect(voters).toHaveLength(4);
    const stopped: Name[] = ['C', 'D'];
    for (const name of stopped) {
      await node(name).stop();
      nodes.delete(name);
    }
    const ops = `${node('A').opsUrl}/readyz`;
    await until(async () =>
      (await (await fetch(ops)).text()).includes('no more than half of the voters run'),
    );
    const [held] = node('A').accounts;
    const transfer = { from: held, to: held, value: '0x1', gas: '0x5208' };
    const height = await heightOf(node('A'));
    const hash = await node('A').result<string>('eth_sendTransaction', [transfer]);
    expect(await node('B').result('eth_getTransactionReceipt', [hash])).toBeNull();
    expect(await heightOf(node('A'))).toBe(height);
    for (const name of stopped) await start(name, plan.enodes);
    expect((await node('D').mined(hash)).status).toBe('0x1');
  });

  it('have no leader without etcd, and still answer', async () => {
    await etcd.member(0).kill();
    await until(async () => (await roleOf('A')) === '');
    const none = ['NO_LEADER', 'no leader is currently elected'];
    expect(refusal(await node('A').call('raft_leader'))).toEqual(none);
    expect((await cluster(node('A'))).map(({ role }) => role)).toEqual(['', '', '', '']);
    for (const [method, param] of [
      ['raft_addPeer', enodeOf('A')],
      ['raft_removePeer', 2],
      ['raft_promoteToPeer', 2],
    ])
      expect(refusal(await node('A').call(`${method}`, [param]))).toEqual(none);
    await etcd.member(0).start();
    await sendThrough(node('A'), [...nodes.values()]);
  });
});

describe('the raft methods on a chain of validators', () => {
  it('are refused by name', async () => {
    const node = await startNode([], { modules: 'eth,raft' });
    const calls: readonly [string, ...unknown[]][] = [
      ['raft_addLearner', 'enode://x'],
      ['raft_addPeer', 'enode://x'],
      ['raft_cluster'],
      ['raft_leader'],
      ['raft_promoteToPeer', 1],
      ['raft_removePeer', 1],
      ['raft_role'],
    ];
    for (const [method, ...params] of calls)
      expect(refusal(await node.call(method, params))).toEqual([
        'RAFT_NOT_AVAILABLE',
        'the chain is not ordered by raft',
      ]);
    await node.stop();
  });
});
