import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImportFolder, recordedFiles } from './import-folder.js';

/** Blocks that are imported: enough for transactions and votes. */
const LAST = 8;

let folder: ImportFolder;
beforeEach(async () => {
  folder = await ImportFolder.create();
});
afterEach(() => folder.remove());

type Config = Readonly<Record<string, unknown>>;

/** The first blocks of a recorded chain, and its genesis file with a changed config. */
async function changed(name: 'qbft' | 'istanbul', change: (config: Config) => Config) {
  const { genesisFile, blocks } = recordedFiles(name);
  const json = JSON.parse(await readFile(genesisFile, 'utf8')) as { config: Config };
  const text = JSON.stringify({ ...json, config: change(json.config) });
  return {
    own: genesisFile,
    genesis: await folder.write('genesis.json', Buffer.from(text)),
    file: await folder.write('blocks.rlp', ...blocks.slice(0, LAST + 1)),
  };
}

const refusal = (genesis: string, file: string) =>
  folder.import(genesis, [file]).then(
    (outcome) => JSON.stringify(outcome),
    (error: unknown) => (error as Error).message,
  );

describe('a chain of GoQuorum is imported', () => {
  it.each([
    ['qbft', 'QBFT'],
    ['istanbul', 'ibft'],
  ] as const)('when a transition at block 0 alone names its engine (%s)', async (name, algorithm) => {
    const { genesis, file } = await changed(name, ({ qbft, ibft, ...config }) => {
      const { epochlength, blockperiodseconds } = (qbft ?? ibft) as Config;
      const entry = { block: 0, algorithm, epochlength, blockperiodseconds };
      return { ...config, qbft: null, transitions: [entry, { block: 0, requesttimeoutseconds: 10 }] };
    });
    expect(await folder.import(genesis, [file])).toMatchObject({ complete: true, block: LAST });
  });

  it('with the block period that its nodes had on the command line', async () => {
    const { genesis, file } = await changed('istanbul', ({ ibft: _, ...config }) => ({
      ...config,
      istanbul: { epoch: 30_000, policy: 0, ceil2Nby3Block: 0 },
    }));
    expect(await refusal(genesis, file)).toMatch(
      /^block \d: timestamp: invalid timestamp by the rules that the genesis file .*genesis\.json has for it/,
    );
    const outcome = await folder.import(genesis, [file], ['--block-period', '1s']);
    expect(outcome).toMatchObject({ complete: true, block: LAST });
  });
});

describe('a chain whose genesis file has other rules', () => {
  it('is refused with the name of the genesis file, and goes on with the right one', async () => {
    const { own, genesis, file } = await changed('qbft', (config) => ({
      ...config,
      transitions: [{ block: 3, blockReward: '7' }],
    }));
    expect(await refusal(genesis, file)).toBe(
      `block 3: stateRoot: invalid merkle root by the rules that the genesis file ${join(folder.folder, 'genesis.json')} ` +
        'has for it (forks, transitions, times, rewards). The blocks up to 2 are stored and stay. To go on, run the command ' +
        'again with the genesis file that the network had at this block, or with files that hold block 3 as the network made ' +
        'it; stored blocks are skipped.',
    );
    expect(await folder.import(own, [file])).toMatchObject({
      complete: true,
      block: LAST,
      imported: LAST - 2,
    });
  });
});
