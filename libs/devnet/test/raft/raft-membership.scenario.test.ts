import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import { RaftCluster, describeWithEtcd } from './raft-cluster.js';

interface Member {
  readonly raftId: number;
  readonly nodeId: string;
  readonly hostname: string;
  readonly p2pPort: number;
  readonly role: string;
}

/** PUSH1 42 PUSH0 SSTORE */
const CREATION = '0x602a5f55';
/** Time in which a chain with a minter would have mined many blocks of 50 ms. */
const STANDSTILL_MS = 2_000;

/**
 * Raft scenarios of GoQuorum's acceptance tests, by our numbers for them, on one network: nodes 0 to 2 begin, node 3 joins. Node 3
 * is the fourth one, with raft id 4.
 */
describeWithEtcd('three node processes on an etcd of three members, and a fourth', () => {
  let cluster: RaftCluster;
  beforeAll(async () => {
    cluster = await RaftCluster.start('--services', 'node', '--node-options', '--raft-dns-enable');
    await cluster.untilVoter(0, 1, 2);
  }, 900_000);
  afterAll(() => cluster?.stop());

  const members = async (index: number) => (await cluster.ask(index, 'raft_cluster')) as Member[];
  const refusal = (index: number, method: string, param: unknown) =>
    cluster.ask(index, method, param).then(
      () => 'nothing was refused',
      (error: unknown) => String(error),
    );
  const strangerId = (fill: number) =>
    Buffer.from(publicKeyFromPrivateKey(new Uint8Array(32).fill(fill))).toString('hex');
  const stranger = (fill: number, host: string) =>
    `enode://${strangerId(fill)}@${host}:6666?discport=0&raftport=50401`;

  it('R21: refuse an enode that is there, and one at an endpoint that is taken', async () => {
    const twice = 'node with this enode has already been added to the cluster';
    const add = (url: string) => refusal(0, 'raft_addPeer', url);
    expect(await add(cluster.node(0).enode)).toContain(`enode is this enode (self): ${twice}`);
    expect(await add(cluster.node(1).enode)).toContain(twice);
    const there = cluster.node(1).enode.replace(/\/\/[0-9a-f]+/, `//${strangerId(9)}`);
    expect(await add(there)).toContain('is already using eth p2p at');
  });

  it('R20: refuse to promote a verifier, and an id that no member has', async () => {
    for (const id of [2, 9])
      expect(await refusal(0, 'raft_promoteToPeer', id)).toContain(
        `${id} is not a learner. only learner can be promoted to peer`,
      );
  });

  it('R04: do not count a learner for the quorum', async () => {
    // It takes addresses only, unlike the others.
    await cluster.network.join({ nodeOptions: '--raft-dns-enable false' });
    await until(async () => (await cluster.roleOf(3)) === 'learner');
    await cluster.mined(await cluster.send(3), 0, 3);
    await cluster.node(3).stop();
    await cluster.mined([...(await cluster.send(0)), ...(await cluster.send(1))], 1, 2);
    await cluster.untilEqualHeads(0, 1, 2);
    await cluster.node(2).stop();
    const before = await cluster.heightOf(0);
    const hashes = [...(await cluster.send(0)), ...(await cluster.send(1))];
    await cluster.mined(hashes, 0, 1);
    expect(await cluster.heightOf(0)).toBeGreaterThan(before);
    await Promise.all([cluster.node(2).start(), cluster.node(3).start()]);
    await cluster.mined(hashes, 2, 3);
  });

  it('R03, R17: promote a learner, which changes nothing else, and which follows after a restart of all', async () => {
    await cluster.untilVoter(0, 1, 2);
    const idsAndKinds = async () =>
      (await members(0))
        .map(({ raftId, nodeId, role }) => ({ raftId, nodeId, learns: role === 'learner' }))
        .sort((a, b) => a.raftId - b.raftId);
    const before = await idsAndKinds();
    await until(async () => !(await refusal(0, 'raft_promoteToPeer', 4)).startsWith('Error'));
    // The node shows what it has followed of the log.
    await until(async () => (await idsAndKinds()).every(({ learns }) => !learns));
    expect(await idsAndKinds()).toEqual(before.map((one) => ({ ...one, learns: false })));
    expect(before.filter(({ learns }) => learns).map(({ raftId }) => raftId)).toEqual([4]);
    await cluster.mined(await cluster.send(0), 0, 3);
    const height = await cluster.heightOf(0);
    await restartAll();
    for (const index of [0, 1, 2, 3]) expect(await cluster.heightOf(index)).toBeGreaterThanOrEqual(height);
  });

  it('R05: count a promoted learner for the quorum', async () => {
    await cluster.node(3).stop();
    await cluster.mined(await cluster.send(0), 0, 1);
    await cluster.untilEqualHeads(0, 1, 2);
    await cluster.node(2).stop();
    await cluster.untilWithoutQuorum(0);
    await cluster.untilWithoutQuorum(1);
    const height = await cluster.heightOf(0);
    const [account] = (await cluster.ask(0, 'eth_accounts')) as [string];
    const creation = { from: account, data: CREATION, gas: '0x186a0' };
    const hash = (await cluster.ask(0, 'eth_sendTransaction', creation)) as string;
    await new Promise((done) => setTimeout(done, STANDSTILL_MS));
    expect(await cluster.ask(0, 'eth_getTransactionReceipt', hash)).toBeNull();
    expect([await cluster.heightOf(0), await cluster.heightOf(1)]).toEqual([height, height]);
    await Promise.all([cluster.node(2).start(), cluster.node(3).start()]);
    await cluster.mined([hash], 0, 1, 2, 3);
  });

  it('R06: refuse a host name at a node without --raft-dns-enable, and add nothing', async () => {
    await cluster.untilVoter(3);
    const answer = await refusal(3, 'raft_addPeer', stranger(7, 'arbitraryHostName'));
    expect(answer).toContain('raft must enable dns to use hostname');
    expect(await members(3)).toHaveLength(4);
  });

  it('R07: take a host name at a node with --raft-dns-enable, and keep it over a restart of all', async () => {
    expect(await cluster.ask(0, 'raft_addPeer', stranger(7, 'arbitraryHostName'))).toBe(5);
    await restartAll();
    for (const index of [0, 3])
      expect((await members(index)).find(({ raftId }) => raftId === 5)).toMatchObject({
        hostname: 'arbitraryHostName',
        p2pPort: 6666,
        nodeId: strangerId(7),
      });
    expect(await cluster.ask(0, 'raft_removePeer', 5)).toBeNull();
    await cluster.mined(await cluster.send(1), 0, 1, 2, 3);
  });

  it('R25: replace a minter that is killed under load, lose nothing, and take it back as a verifier or minter', async () => {
    const gone = await cluster.minter();
    const others = [0, 1, 2, 3].filter((index) => index !== gone);
    const [through = 0] = others;
    const before = await cluster.send(through, 40);
    await cluster.node(gone).kill();
    const height = await cluster.heightOf(through);
    const after = await cluster.send(through, 10);
    const next = await cluster.minter(others);
    expect(next).not.toBe(gone);
    await cluster.mined([...before, ...after], ...others);
    expect(await cluster.heightOf(through)).toBeGreaterThan(height);
    await cluster.node(gone).start();
    await cluster.untilVoter(gone);
    await cluster.mined([...before, ...after], gone);
    await cluster.untilEqualHeads(0, 1, 2, 3);
  });

  it('R15: refuse to promote on a learner', async () => {
    await cluster.network.join();
    await until(async () => (await cluster.roleOf(4)) === 'learner');
    const other = await cluster.ask(0, 'raft_addLearner', stranger(8, '127.0.0.9'));
    expect(await refusal(4, 'raft_promoteToPeer', other)).toContain("learner node can't promote to peer");
  });

  async function restartAll(): Promise<void> {
    const nodes = [...cluster.network.nodes];
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.untilVoter(...nodes.keys());
  }
});
