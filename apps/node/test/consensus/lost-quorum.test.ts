import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase, until, type TestDatabase } from '@tetrad/testkit';
import { silentLogger } from '@tetrad/types';
import { replaceOptions, replaceValidators } from '../../src/commands/replace-validators-command.js';
import { startNode, type RunningNode } from '../running-node.js';
import { addressOf, keyOf, type Name } from '../validator-chain.js';
import { blockOfAll, connect, genesisOf, heightOf, pass, useNodes } from '../validator-network.js';

const nodes = useNodes(afterEach);

let folder: string;
const databases = new Map<Name, TestDatabase>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-lost-quorum-'));
});
afterEach(async () => {
  for (const database of databases.values()) await database.drop();
  databases.clear();
  await rm(folder, { recursive: true, force: true });
});

/** The database of the member, which outlives its node. */
async function databaseOf(name: Name): Promise<TestDatabase> {
  const database = databases.get(name) ?? (await createTestDatabase('node'));
  databases.set(name, database);
  return { ...database, drop: async () => undefined };
}

async function loseDatabase(name: Name): Promise<void> {
  await databases.get(name)?.drop();
  databases.delete(name);
}

/** Starts members of the chain of the file, connected to each other. */
async function startAll(genesisFile: string, names: readonly Name[]): Promise<RunningNode[]> {
  const genesis = JSON.parse(await readFile(genesisFile, 'utf8')) as object;
  for (const name of names)
    nodes.push(
      await startNode(['--peer-exchange', 'false'], {
        genesis,
        nodeKey: keyOf(name),
        database: await databaseOf(name),
      }),
    );
  await connect(nodes);
  return [...nodes];
}

const stopAll = () => Promise.all(nodes.splice(0).map((node) => node.stop()));

/**
 * Runs the command for a member whose node is stopped.
 * @returns what it printed
 */
async function replace(name: Name, genesisFile: string, ...words: readonly string[]): Promise<object> {
  const nodeKey = join(folder, `nodekey-${name}`);
  await writeFile(nodeKey, Buffer.from(keyOf(name)).toString('hex'));
  const flags = ['--data-dir', folder, '--genesis-file', genesisFile, '--node-key-file', nodeKey, ...words];
  const config = loadConfig({
    service: 'node',
    options: replaceOptions,
    commandLine: parseCommandLine(flags, replaceOptions),
    environment: { TETRAD_NODE_DATABASE_URL: (await databaseOf(name)).url },
  });
  const metrics = createMetrics({ service: 'node', version: '0.0.0' });
  const environment = { name: 'node', version: '0.0.0', logger: silentLogger, metrics, tracing: undefined };
  return JSON.parse(await replaceValidators(config, environment)) as object;
}

/**
 * Runs a chain of A to D, of which those that are kept stand at one height in the end.
 * @returns the genesis file, the head
 */
async function loseQuorum(engine: 'qbft' | 'ibft', kept: number): Promise<{ file: string; head: number }> {
  const file = join(folder, 'genesis.json');
  await writeFile(file, JSON.stringify(genesisOf({ engine })));
  const [first] = await startAll(file, ['A', 'B', 'C', 'D']);
  await pass(first!, 5);
  for (const node of nodes.splice(kept)) await node.stop();
  let head = -1;
  // A block that is being decided may still come.
  await until(async () => {
    const heads = await Promise.all(nodes.map(heightOf));
    const stands = heads.every((one) => one === head);
    head = Math.max(...heads);
    await new Promise((tick) => setTimeout(tick, 1_000));
    return stands;
  });
  await stopAll();
  return { file, head };
}

const validatorsOf = (node: RunningNode) => node.result<string[]>('ibft_getValidators', ['latest']);
const listOf = (names: readonly Name[]) => names.map(addressOf);

describe('a network that lost the keys of half of its validators', () => {
  it('goes on with the set that its operators put into the genesis file, and a new node follows all of it', async () => {
    const { file, head } = await loseQuorum('qbft', 2);
    const [agreed, names] = [join(folder, 'agreed.json'), ['A', 'B', 'E'] as const];
    const list = listOf(names).join();
    await expect(replace('A', file)).rejects.toThrow('no transition with validators');
    await expect(replace('A', file, '--validators', list)).rejects.toThrow('--out');
    const written = await replace('A', file, '--validators', list, '--out', agreed);
    expect(written).toMatchObject({ head, validators: listOf(names), sha256: expect.any(String) });
    await expect(replace('A', file, '--validators', list, '--out', agreed)).rejects.toThrow('EEXIST');
    // A file that says otherwise of stored blocks than they do is refused until the operator puts it in force.
    await expect(startAll(agreed, ['A'])).rejects.toThrow('replace-validators');

    for (const name of ['A', 'B'] as const) {
      expect(await replace(name, agreed)).toMatchObject({ head, replaced: true, record: 'new' });
      // Again it forgets nothing that was signed for the new set.
      expect(await replace(name, agreed)).toMatchObject({ replaced: false, record: 'kept' });
    }
    const [first, , joined] = await startAll(agreed, names);
    await pass(first!, 3);
    await until(async () => (await heightOf(joined!)) > head + 2);
    for (const node of [first, joined])
      expect((await validatorsOf(node!)).sort()).toEqual(listOf(names).sort());
    const [one, other] = await blockOfAll([first!, joined!], head + 1);
    expect(one).toEqual(other);
    // The file names a block that is not the head any more.
    await stopAll();
    await expect(replace('A', agreed)).rejects.toThrow('already');
    const [again] = await startAll(agreed, names);
    await pass(again!, 2);
  });
});

describe('a network that lost the databases of most of its validators', () => {
  it('goes on with the same set, once each has the chain from the one that is left', async () => {
    const { file, head } = await loseQuorum('ibft', 1);
    for (const name of ['B', 'C', 'D'] as const) await loseDatabase(name);
    const [agreed, names] = [join(folder, 'agreed.json'), ['A', 'B', 'C', 'D'] as const];
    await replace('A', file, '--validators', listOf(names).join(), '--out', agreed);
    expect(await replace('A', agreed)).toMatchObject({ replaced: false, record: 'kept' });
    await expect(replace('B', agreed)).rejects.toThrow('contains no chain yet');
    for (const name of ['B', 'C', 'D'] as const) {
      const [, follower] = await startAll(agreed, ['A', name]);
      await until(async () => (await heightOf(follower!)) === head);
      await stopAll();
      expect(await replace(name, agreed)).toMatchObject({ head, replaced: false, record: 'new' });
    }
    const [first] = await startAll(agreed, names);
    await pass(first!, 3);
  });
});
