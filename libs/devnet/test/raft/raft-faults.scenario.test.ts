import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EtcdKeys } from './etcd-keys.js';
import { RaftCluster, describeWithEtcd } from './raft-cluster.js';

const NODES = [0, 1, 2];
const QUOTA_BYTES = 16_000_000;
/** Longer than the lease of a minter, 3 s. */
const BEYOND_LEASE_MS = 5_000;
/** Time in which a chain with a minter would have mined many blocks of 50 ms. */
const STANDSTILL_MS = 2_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Each fault ends with equal heads, and with every acknowledged transaction on the chain of every node exactly once. */
describeWithEtcd('three node processes whose etcd of three members has faults', () => {
  let cluster: RaftCluster;
  let folder: string;
  const acknowledged: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-raft-faults-'));
    cluster = await RaftCluster.startOn(['--services', 'node'], { quotaBytes: QUOTA_BYTES });
    await cluster.untilVoter(...NODES);
    await send(0);
  }, 900_000);
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const keys = () => new EtcdKeys(cluster.etcd.endpoints[0] ?? '');
  /** All keys of this chain in etcd. */
  async function ownPrefix(): Promise<string> {
    const block = (await cluster.ask(0, 'eth_getBlockByNumber', '0x0', false)) as { readonly hash: string };
    return `/tetrad/${cluster.network.endpoints.chainId}/${block.hash}/`;
  }
  async function send(index: number, count?: number): Promise<void> {
    acknowledged.push(...(await cluster.send(index, count)));
  }
  async function expectAgreement(): Promise<void> {
    await cluster.mined(acknowledged, ...NODES);
    await cluster.untilEqualHeads(...NODES);
  }
  /** @throws when a node mines although it must not */
  async function expectStandstill(): Promise<void> {
    const heights = () => Promise.all(NODES.map((index) => cluster.heightOf(index)));
    const before = await heights();
    await pause(STANDSTILL_MS);
    expect(await heights()).toEqual(before);
  }

  it('go on when a member of etcd is paused, whichever it is', async () => {
    for (const member of cluster.etcd.members) {
      await member.pause();
      await send(1);
      await pause(BEYOND_LEASE_MS);
      await member.resume();
      await send(2);
    }
    await expectAgreement();
  });

  it('replace a minter that is paused for longer than its lease, and take it back without a fork', async () => {
    for (let round = 0; round < 2; round++) {
      const minter = await cluster.minter();
      const others = NODES.filter((index) => index !== minter);
      const [through = 0] = others;
      await Promise.all([send(through, 40), pauseProcess(minter)]);
      expect(await cluster.minter(others)).not.toBe(minter);
      await send(through);
      await cluster.mined(acknowledged, ...others);
      process.kill(cluster.node(minter).pid, 'SIGCONT');
      await expectAgreement();
      await send(minter);
    }
    await expectAgreement();
  });

  it('catch up from the other nodes with blocks that etcd has compacted meanwhile', async () => {
    await cluster.node(2).kill();
    await send(0, 20);
    await cluster.mined(acknowledged, 0, 1);
    const blocks = `${await ownPrefix()}log/block/`;
    const head = String(await cluster.heightOf(0)).padStart(20, '0');
    await keys().delete(blocks, `${blocks}${head}`);
    await keys().compact();
    await cluster.node(2).start();
    await send(2);
    await expectAgreement();
  });

  it('stop when etcd is full, report it, and go on when it has space again', async () => {
    let isFull = false;
    for (let index = 0; !isFull; index++)
      await keys()
        .put(`junk/${index}`, Buffer.alloc(1_000_000, index))
        .catch(() => (isFull = true));
    await send(0);
    await cluster.untilReadiness(await cluster.minter(), 'database space exceeded');
    await expectStandstill();
    await keys().delete('junk/', 'junk0');
    await keys().compact();
    for (const { endpoint } of cluster.etcd.members) await new EtcdKeys(endpoint).defragment();
    await keys().disarm();
    await expectAgreement();
  });

  it('share etcd with a network of another block 0, neither of which sees the other', async () => {
    const other = await RaftCluster.startBeside(cluster, '--services', 'node');
    try {
      const hashes = await other.send(0);
      await send(0);
      await other.mined(hashes, ...NODES);
      await expectAgreement();
      expect(await other.ask(0, 'eth_getTransactionReceipt', acknowledged.at(-1))).toBeNull();
      const roots = (await keys().list('/tetrad/')).map(({ key }) => key.split('/').slice(0, 4).join('/'));
      expect(new Set(roots).size).toBe(2);
    } finally {
      await other.stop();
    }
  });

  it('mint nothing on an etcd restored from an older snapshot, and restore the lost blocks on command', async () => {
    const file = join(folder, 'etcd.snapshot');
    await cluster.etcd.snapshot(file);
    await send(1, 20);
    await expectAgreement();
    await cluster.etcd.restore(file);
    for (const index of NODES)
      await cluster.untilReadiness(index, 'the log in etcd ends at block [0-9]+, and this chain at');
    await send(0);
    await expectStandstill();
    await cluster.node(1).stop();
    process.env['TETRAD_NODE_RAFT_RESTORE_LOG'] = 'true';
    await cluster.node(1).start();
    delete process.env['TETRAD_NODE_RAFT_RESTORE_LOG'];
    await expectAgreement();
  });

  it('stop after a foreign write into the log, and go on when it is undone', async () => {
    const head = (await keys().list(await ownPrefix())).find(({ key }) => key.endsWith('/control/head'));
    if (head === undefined) throw new Error('the log has no head');
    await keys().put(head.key, Buffer.from('what is this'));
    for (const index of NODES) await cluster.untilReadiness(index, 'is not of this software');
    await send(0);
    await expectStandstill();
    await keys().put(head.key, head.value);
    await expectAgreement();
  });

  /** SIGSTOP while others send; transactions that it had accepted stay with it. */
  async function pauseProcess(index: number): Promise<void> {
    await pause(50);
    process.kill(cluster.node(index).pid, 'SIGSTOP');
    await pause(BEYOND_LEASE_MS);
  }
});
