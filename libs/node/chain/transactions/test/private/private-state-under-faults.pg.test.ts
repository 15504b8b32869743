import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Journal } from '@tetrad/node-evm';
import { readSlot } from '@tetrad/node-execution';
import { seededRandom, testSeed, until } from '@tetrad/testkit';
import { hexFromBytes, type Address } from '@tetrad/types';
import type { FaultyManager } from './faults/faulty-manager.js';
import { FaultyNetwork, NODES } from './faults/faulty-network.js';
import type { PrivateNode } from './faults/private-node.js';

/** A search for faults takes more: `TETRAD_PRIVATE_ROUNDS=200 TETRAD_TEST_SEED=random`. */
const ROUNDS = Number(process.env['TETRAD_PRIVATE_ROUNDS'] ?? 5);
const BLOCKS_A_ROUND = 4;
const ALL = Array.from({ length: NODES }, (_, node) => node);

/** Reasons for a pause that a follower may report. */
const NAMED =
  /^(private transaction manager (is not ready: .+|does not support privacy enhancements) \(transaction 0x[0-9a-f]{64}\)|failed: the connection was lost)$/s;

let network: FaultyNetwork;
const seed = testSeed();
const random = seededRandom(seed + 1);
const nodeAt = (index: number) => network.nodes[index] as PrivateNode;
const managerAt = (index: number) => network.managers[index] as FaultyManager;
const pick = () => Math.floor(random() * NODES);

beforeAll(async () => {
  network = await FaultyNetwork.open(seed);
});
afterAll(() => network?.end());

/** Expects every follower to have the state that it would have without faults. */
async function assertNothingGuessed(): Promise<void> {
  for (const index of ALL) {
    const { follower } = nodeAt(index);
    const height = Math.max(0, follower.head);
    expect([index, height, await nodeAt(index).rootAt(height)]).toEqual([
      index,
      height,
      network.expected.at(index, height).root,
    ]);
  }
}

/** Adds blocks while one node cannot reach its manager, whose stored payloads are then unreadable for a while. */
async function roundWithout(away: number): Promise<void> {
  const { ofFollower } = managerAt(away).links;
  ofFollower.isDown = true;
  await addBlocks(ALL.filter((index) => index !== away));
  const { follower, ledger } = nodeAt(away);
  const isStanding = () => follower.pause !== undefined || follower.head === ledger.head().header.number;
  await until(isStanding, 2);
  await managerAt(away).flipStored();
  ofFollower.isDown = false;
  await until(isStanding, 2);
  await assertNothingGuessed();
  await managerAt(away).flipStored();
}

async function addBlocks(senders: readonly number[]): Promise<void> {
  for (let block = 0; block < BLOCKS_A_ROUND; block++) {
    await network.addBlock(senders);
    if (random() < 0.15) await nodeAt(pick()).restart();
    if (random() < 0.15) await managerAt(pick()).restart();
  }
}

describe(`private state of ${NODES} nodes whose managers meet faults at random (seed ${seed})`, () => {
  it('equals the state without faults at every height, once the faults are over', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 1) await roundWithout(pick());
      else await addBlocks(ALL);
      await assertNothingGuessed();
    }
    network.heal();
    const { number } = nodeAt(0).ledger.head().header;
    await until(() => network.nodes.every(({ follower }) => follower.head === number));
    for (const index of ALL) {
      for (let height = 0; height <= number; height++)
        expect([index, height, await nodeAt(index).rootAt(height)]).toEqual([
          index,
          height,
          network.expected.at(index, height).root,
        ]);
    }
  });

  it('has the receipts, logs and privacy flags of that run', async () => {
    for (const index of ALL) {
      const { number } = nodeAt(index).ledger.head().header;
      for (let height = 0; height <= number; height++)
        expect([index, height, await storedBy(nodeAt(index), height)]).toEqual([
          index,
          height,
          expectedOf(index, height),
        ]);
      const metadata = network.expected.metadataOf(index);
      const rows = await nodeAt(index).store.findContracts([...metadata.keys()], number);
      expect(
        new Map(rows.map((row) => [row.address, [hexFromBytes(row.creation), row.privacyFlag]])),
      ).toEqual(new Map([...metadata].map(([address, own]) => [address, [own.creation, own.privacyFlag]])));
    }
  });

  it('is the same on all parties of contracts whose transactions all of them received', async () => {
    const shared = network.traffic.contracts.filter(
      ({ isShared, parties }) => isShared && parties.length > 1,
    );
    expect(shared.length).toBeGreaterThan(0);
    for (const { address, parties } of shared) {
      const values = await Promise.all(parties.map((party) => valueOf(nodeAt(party), address)));
      expect([address, new Set(values).size, BigInt(values[0] ?? 0) > 0n]).toEqual([address, 1, true]);
    }
  });

  it('paused with known reasons only, after faults of every kind', () => {
    const reports = network.nodes.map((node) => node.reports);
    for (const reason of reports.flatMap(({ pauses }) => pauses)) expect(reason).toMatch(NAMED);
    for (const error of reports.flatMap(({ failures }) => failures))
      expect(error).toBe('Error: the connection was lost');
    const links = network.managers.flatMap(({ links: own }) => Object.values(own));
    const met = new Set(links.flatMap((link) => [...link.met.keys()]));
    expect([...met].sort()).toEqual(
      [
        'again',
        'delayed',
        'dropped',
        'failing',
        'garbled',
        'late',
        'none',
        'refused',
        'strange',
        'truncated',
        'twice',
      ].sort(),
    );
    expect(network.counts.sentAgain).toBeGreaterThan(0);
  });
});

async function storedBy({ store }: PrivateNode, height: number) {
  const logs = await store.listLogs(height);
  return (await store.listReceipts(height)).map(
    ({ index, hash, status, contractAddress, firstLog, logCount }) => ({
      index,
      hash,
      status,
      contractAddress,
      logs: logs
        .filter((log) => log.index >= firstLog && log.index < firstLog + logCount)
        .map(({ address, topics, data }) => ({ address, topics, data: hexFromBytes(data) })),
    }),
  );
}

function expectedOf(node: number, height: number) {
  return network.expected.at(node, height).results.map(({ index, hash, receipt }) => ({
    index,
    hash,
    status: receipt.status,
    contractAddress: receipt.contractAddress,
    logs: receipt.logs.map(({ address, topics, data }) => ({
      address,
      topics: [...topics],
      data: hexFromBytes(data),
    })),
  }));
}

/** Slot 0 of a contract at the head. */
async function valueOf(node: PrivateNode, address: Address): Promise<string> {
  const root = await node.rootAt(node.ledger.head().header.number);
  const world = await node.states.openWorld(root, new Journal());
  return hexFromBytes(await readSlot(world, address, new Uint8Array(32)));
}
