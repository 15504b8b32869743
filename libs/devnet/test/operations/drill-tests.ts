import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createOwnedDatabase, dropDatabase } from '@tetrad/db';
import { callRpc, type Network, type NetworkNode } from '@tetrad/devnet';
import { startChildService, until, type ChildService } from '@tetrad/testkit';
import { readSamples } from '../monitoring/exposition.js';
import type { FourNodes } from './four-nodes.js';

let network: Network;
let folder: string;
const nodeAt = (index: number) => network.nodes[index] as NetworkNode;
const heightOf = async ({ rpc }: NetworkNode) => Number(await callRpc(rpc, 'eth_blockNumber', []));
const untilHeight = (node: NetworkNode, height: number) =>
  until(async () => (await heightOf(node)) >= height);

interface Readiness {
  readonly ready: boolean;
  readonly notReady: Readonly<Record<string, string>>;
}

async function ask({ opsUrl }: NetworkNode, path = '/readyz'): Promise<Readiness> {
  return (await (await fetch(`${opsUrl}${path}`)).json()) as Readiness;
}

/** The sum of the samples of a series. */
async function valueOf({ opsUrl }: NetworkNode, metric: string): Promise<number> {
  const samples = readSamples(await (await fetch(`${opsUrl}/metrics`)).text());
  return samples.filter(({ name }) => name === metric).reduce((sum, { value }) => sum + value, 0);
}

/** What the node counted of messages that contradict each other; a node that is slow also counts that it is behind. */
async function contradictions({ opsUrl }: NetworkNode) {
  const samples = readSamples(await (await fetch(`${opsUrl}/metrics`)).text());
  const kinds = ['equivocation', 'keyInUseElsewhere'];
  return samples.filter(
    ({ name, labels, value }) =>
      name === 'node_consensus_reports_total' && kinds.includes(labels.get('what') ?? '') && value > 0,
  );
}

/** Lines of the node's log that hold the text. */
async function logged({ name }: NetworkNode, text: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(join(folder, `${name}.log`), 'utf8')).split('\n');
  return lines
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function signersOf(height: number): Promise<readonly string[]> {
  const block = `0x${height.toString(16)}`;
  const { committers } = (await callRpc(nodeAt(0).rpc, 'ibft_getSignersFromBlock', [block])) as {
    readonly committers: readonly string[];
  };
  return committers.map((address) => address.toLowerCase());
}

/** What an operator meets on a network of four validators, and what its lights say. All nodes run after it. */
export function testDrills(four: () => FourNodes): void {
  beforeAll(() => {
    ({ network, folder } = four());
  });

  describe('a validator whose database is lost', () => {
    it('follows, signs nothing where it may have signed, then signs again, and says so', async () => {
      const node = nodeAt(3);
      const { address } = network.endpoints.nodes[3] as { readonly address: string };
      await untilHeight(node, 5);
      await node.stop();
      const lost = await heightOf(nodeAt(0));
      const { url } = network.endpoints.database;
      const database = new URL(
        node.startCommand.environment['TETRAD_NODE_DATABASE_URL'] ?? '',
      ).pathname.slice(1);
      await dropDatabase(url, database);
      await createOwnedDatabase(url, database);
      await node.start();
      await until(async () => (await logged(node, 'this validator signs from now on')).length > 0);
      const [{ height: firstHeight } = {}] = await logged(node, 'this validator signs from now on');
      const first = Number(firstHeight);
      // The height that was open when it was stopped, and the following ones until it knew that it had caught up.
      expect(first).toBeGreaterThan(lost + 5);
      expect(await logged(node, 'it signs again after block')).not.toEqual([]);
      for (let height = lost + 1; height < first; height++)
        expect(await signersOf(height)).not.toContain(address.toLowerCase());
      await until(async () => (await signersOf(await heightOf(nodeAt(0)))).includes(address.toLowerCase()));
      await until(async () => (await ask(node, '/readyz/rollout')).ready);
      expect(await valueOf(node, 'node_consensus_silent')).toBe(0);
      for (const other of network.nodes) expect(await contradictions(other)).toEqual([]);
    }, 600_000);
  });

  describe('a validator whose clock is wrong', () => {
    /** Starts the node with a clock that is ahead by so many seconds, and waits only until it serves. */
    async function startSkewed(node: NetworkNode, seconds: number): Promise<ChildService> {
      const { environment, ...command } = node.startCommand;
      const shift = `const now = Date.now; Date.now = () => now() + ${seconds * 1_000};`;
      const preload = `data:text/javascript,${encodeURIComponent(shift)}`;
      return startChildService({
        name: node.name,
        ...command,
        logFile: join(folder, `${node.name}.log`),
        environment: { ...environment, NODE_OPTIONS: `--import ${preload}` },
        isReady: async () => (await fetch(`${node.opsUrl}/livez`).catch(() => undefined))?.ok ?? false,
      });
    }

    const peersOf = async ({ rpc }: NetworkNode) => Number(await callRpc(rpc, 'net_peerCount', []));

    it.each([
      [-30, 'behind'],
      [30, 'ahead of'],
    ])(
      'by %d s is not ready and says why; the others keep it, and go on',
      async (seconds, text) => {
        const node = nodeAt(3);
        await node.stop();
        const skewed = await startSkewed(node, seconds);
        try {
          await until(async () => 'clock' in (await ask(node)).notReady);
          expect((await ask(node)).notReady['clock']).toMatch(
            new RegExp(`is \\d+\\.\\d s ${text} its peers`),
          );
          const offset = await valueOf(node, 'node_clock_offset_seconds');
          expect(Math.abs(offset + seconds)).toBeLessThan(5);
          const height = await heightOf(nodeAt(0));
          await untilHeight(nodeAt(0), height + 8);
          for (const index of [0, 1, 2]) {
            expect(await peersOf(nodeAt(index))).toBe(3);
            expect((await ask(nodeAt(index))).ready).toBe(true);
          }
          // The proposals of a clock that is fast are refused, and its blocks would be too.
          if (seconds > 0)
            await until(async () => (await valueOf(nodeAt(0), 'node_proposals_refused_total')) > 0);
        } finally {
          await skewed.stop();
        }
        await node.start();
        await untilHeight(node, await heightOf(nodeAt(0)));
        await until(async () => (await ask(node)).ready);
      },
      600_000,
    );
  });
}
