import { afterEach, describe, expect, it } from '@jest/globals';
import { until, type FaultyNetwork } from '@tetrad/testkit';
import { expectTurns } from '../proposer-turns.js';
import type { RunningNode } from '../running-node.js';
import { VALIDATORS } from '../validator-chain.js';
import {
  blockOfAll,
  enodeOf,
  heightOf,
  pass,
  sendThrough,
  standstill,
  startMember,
  startLinkedNodes,
  useNodes,
} from '../validator-network.js';

const nodes = useNodes(afterEach);
let links: FaultyNetwork | undefined;
// When the nodes have stopped: hooks run in the order in which they are given.
afterEach(() => links?.close());

describe.each([
  ['qbft', 'sticky'],
  ['ibft', 'roundRobin'],
] as const)('four validators of a %s chain (%s)', (engine, policy) => {
  it('continue as three, stop and answer as two, agree after the partition, and go on without one that has lost its record', async () => {
    const consensus = { policy: policy === 'sticky' ? 1 : 0 };
    const setup = { engine, consensus, requestTimeoutSeconds: 1 };
    links = await startLinkedNodes(nodes, setup, ['A', 'B', 'C', 'D']);
    const [a, b, c, d] = nodes as [RunningNode, RunningNode, RunningNode, RunningNode];
    // One that was started after the first block signs nothing for a while, since it may have lost its record.
    for (const node of nodes) await until(async () => (await silenceOf(node)) === '');
    await until(async () => (await heightOf(a)) >= 2);
    // A is the one whose turn it is first, and always when proposers stay.
    links.partition([[1, 2, 3], [0]]);
    await pass(b, 5);
    await sendThrough(c, [b, c, d]);
    const alone = await heightOf(a);

    links.partition([[1, 2], [0], [3]]);
    // A has been alone for longer: each of its rounds takes twice the time of the one before.
    const stood = await standstill([b, c, d]);
    expect(await heightOf(a)).toBe(alone);
    for (const node of nodes) expect(await node.result('ibft_getValidators')).toEqual(VALIDATORS);
    expect(await heightOf(b)).toBeLessThanOrEqual(stood);

    links.heal();
    await until(async () => (await heightOf(a)) >= stood + 3);
    expect(new Set((await blockOfAll(nodes, stood + 3)).map(({ hash }) => hash)).size).toBe(1);
    await sendThrough(a, nodes);
    if (engine === 'qbft') await expectTurns(d, policy);

    // D loses its database.
    await nodes.pop()?.stop();
    const peers = await Promise.all([a, b, c].map(enodeOf));
    const lost = await startMember(setup, 'D', { peers });
    nodes.push(lost);
    const answers: RolloutAnswer[] = [];
    await until(async () => {
      answers.push(await rolloutOf(lost));
      return /signs again after block \d+/.test(answers.at(-1)?.silence ?? '');
    });
    // Neither while it is behind, nor then: the others may not be stopped.
    const known = answers.filter(({ silence }) => / its peers have |signs again/.test(silence));
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([503]));
    const signsAfter = Number(/after block (\d+)/.exec(await silenceOf(lost))?.[1]);
    expect(await lost.result('eth_mining')).toBe(false);
    expect(await sentBy(lost)).toBe(0);
    await until(async () => (await sentBy(lost)) > 0);
    expect(await heightOf(lost)).toBeGreaterThanOrEqual(signsAfter);
    expect(signsAfter).toBeGreaterThanOrEqual(stood + 8);
    expect(await silenceOf(lost)).toBe('');
    expect(await lost.result('eth_mining')).toBe(true);
    for (const node of nodes) expect(await reportsOf(node)).toEqual([]);
  });
});

const metricsOf = async ({ opsUrl }: RunningNode) => (await fetch(`${opsUrl}/metrics`)).text();

interface RolloutAnswer {
  readonly status: number;
  /** Why the validator signs nothing; empty when it does. */
  readonly silence: string;
}

async function rolloutOf({ opsUrl }: RunningNode): Promise<RolloutAnswer> {
  const response = await fetch(`${opsUrl}/readyz/rollout`);
  const { notReady, warnings } = (await response.json()) as Record<
    string,
    Record<string, string> | undefined
  >;
  return { status: response.status, silence: notReady?.['consensus'] ?? warnings?.['consensus'] ?? '' };
}

const silenceOf = async (node: RunningNode) => (await rolloutOf(node)).silence;

/** Consensus messages that the node sent since it was started. */
async function sentBy(node: RunningNode): Promise<number> {
  const lines = (await metricsOf(node)).matchAll(/^node_consensus_messages_sent_total\{[^}]*\} (\d+)/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Validators that contradicted themselves, or a key that signs elsewhere, as the node counts them. */
async function reportsOf(node: RunningNode): Promise<string[]> {
  const offences =
    /^node_consensus_reports_total\{[^}]*what="(?:equivocation|keyInUseElsewhere)"[^}]*\} [1-9].*/gm;
  return (await metricsOf(node)).match(offences) ?? [];
}
