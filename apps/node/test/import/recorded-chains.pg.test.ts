import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccakHash } from '@tetrad/crypto';
import { decodeBlockHeader, encodeHeader } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { until } from '@tetrad/testkit';
import type { BlockHeader } from '@tetrad/types';
import { planRaftNetwork } from '../raft-network.js';
import { startNode } from '../running-node.js';
import { describeWithEtcd, startTestEtcd } from '../test-etcd.js';
import { keyOf } from '../validator-chain.js';
import { ImportFolder, recordedFiles } from './import-folder.js';

const VALIDATOR = Buffer.alloc(32, 0x42);

const expectedBlocks = (blocks: readonly Uint8Array[], hash: (header: BlockHeader) => string) =>
  blocks.map((encoded) => {
    const header = decodeBlockHeader(encoded);
    return { number: header.number, hash: hash(header), root: header.stateRoot };
  });

describe.each([
  ['qbft', hashHeader, 713],
  ['istanbul', hashHeader, 713],
  ['raft', (header: BlockHeader) => keccakHash(encodeHeader(header)), 527],
] as const)('the %s chain of a GoQuorum, imported from its file', (name, hash, transactions) => {
  const { genesisFile, file, blocks } = recordedFiles(name);
  let folder: ImportFolder;
  beforeAll(async () => {
    folder = await ImportFolder.create();
  });
  afterAll(() => folder?.remove());

  it('has the hash and the state root of every block', async () => {
    const last = blocks.length - 1;
    const outcome = await folder.import(genesisFile, [file]);
    const stored = await folder.storedBlocks();
    expect(stored).toEqual(expectedBlocks(blocks, hash));
    expect(outcome).toEqual({
      complete: true,
      block: last,
      imported: last,
      known: 1,
      transactions,
      hash: stored.at(-1)?.hash,
      stateRoot: stored.at(-1)?.root,
    });
  });

  it('is compared and skipped when it is imported again', async () => {
    expect(await folder.import(genesisFile, [file])).toMatchObject({
      imported: 0,
      known: blocks.length,
      block: blocks.length - 1,
    });
  });
});

describe('a GoQuorum network whose chain was imported', () => {
  it.each(['qbft', 'istanbul'] as const)('produces its next blocks here, as %s', async (name) => {
    const { genesisFile, file, blocks } = recordedFiles(name);
    const last = blocks.length - 1;
    const json = JSON.parse(await readFile(genesisFile, 'utf8')) as { config: Record<string, unknown> };
    // The keys of its validators are not recorded: a transition of the genesis file names others after the last block.
    const validators = [addressFromPrivateKey(VALIDATOR)];
    const transitions = [{ block: last, validatorselectionmode: 'blockheader', validators }];
    const genesis = { ...json, config: { ...json.config, transitions } };
    const folder = await ImportFolder.create();
    const node = await startNode([], {
      genesis,
      nodeKey: VALIDATOR,
      prepare: async (databaseUrl) => {
        const own = new ImportFolder(folder.folder, { url: databaseUrl, drop: async () => undefined });
        const changed = await own.write('genesis.json', Buffer.from(JSON.stringify(genesis)));
        await own.import(changed, [file]);
      },
    });
    try {
      await until(async () => Number(await node.result('eth_blockNumber')) > last + 1);
      const header = decodeBlockHeader(blocks[last] as Uint8Array);
      const next = await node.result<Record<string, unknown>>('eth_getBlockByNumber', [
        `0x${(last + 1).toString(16)}`,
        false,
      ]);
      expect(next).toMatchObject({ parentHash: hashHeader(header), stateRoot: header.stateRoot });
      if (name === 'qbft') expect(next['miner']).toBe(validators[0]);
    } finally {
      await node.stop();
      await folder.remove();
    }
  });
});

describeWithEtcd('a raft network of GoQuorum whose chain was imported', () => {
  it('mints its next block here', async () => {
    const { genesisFile, file, blocks } = recordedFiles('raft');
    const last = blocks.length - 1;
    const etcd = await startTestEtcd(1);
    const plan = await planRaftNetwork(['A']);
    const node = await startNode(
      [
        '--etcd-endpoints',
        etcd.endpoints.join(),
        '--peers',
        plan.enodes.join(),
        '--raft-restore-log',
        '--peer-listen-port',
        String(plan.ports[0]),
        '--peer-exchange',
        'false',
      ],
      {
        genesis: JSON.parse(await readFile(genesisFile, 'utf8')) as object,
        nodeKey: keyOf('A'),
        modules: 'eth,raft',
        prepare: async (databaseUrl) => {
          await new ImportFolder(dirname(file), { url: databaseUrl, drop: async () => undefined }).import(
            genesisFile,
            [file],
          );
        },
      },
    );
    try {
      const [from] = node.accounts;
      await until(async () => (await node.result('raft_role')) === 'minter');
      const hash = await node.result<string>('eth_sendTransaction', [
        { from, to: from, gas: '0x5208', gasPrice: '0x0' },
      ]);
      const { blockNumber } = await node.mined(hash);
      expect(Number(blockNumber)).toBe(last + 1);
      const next = await node.result('eth_getBlockByNumber', [blockNumber, false]);
      const header = decodeBlockHeader(blocks[last] as Uint8Array);
      expect(next).toMatchObject({ parentHash: keccakHash(encodeHeader(header)) });
    } finally {
      await node.stop();
      await etcd.close();
    }
  });
});
