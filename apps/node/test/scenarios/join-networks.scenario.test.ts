import { afterEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { publicKeyFromPrivateKey } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import {
  genesisFile,
  recordedBlocks,
} from '../../../../libs/node/privacy/private-state/test/recorded-chain.js';
import { ImportFolder, recordedFiles } from '../import/import-folder.js';
import { JoiningNode, heightAt, type JoinedNode, type JoiningSetup } from '../joining/joined-node.js';
import { assertEqualAnswers } from '../joining/random-queries.js';
import { VALIDATOR_CONTRACT, store, transact, withContracts } from '../joining/stored-words.js';
import { listedEntries } from '../contract-lists.js';
import { PermissionClient } from '../permission-client.js';
import {
  ADMIN,
  BANKER,
  BANK_KEY,
  OTHER_ADMIN,
  configText,
  genesis as permissionedGenesis,
  startPermissioned,
} from '../permissioned-network.js';
import { startOnRecordedChain } from '../rpc/privacy/recorded-node.js';
import { post, startNode, type RunningNode } from '../running-node.js';
import { addressOf, keyOf, type Name } from '../validator-chain.js';
import { connect, enodeOf, genesisOf, heightOf, pass, useNodes } from '../validator-network.js';

/** Of each network; 2,000 and more together. */
const QUERIES = 334;
/** A period that lets a chain pass its transitions soon. Units: ms */
const PERIOD = 100;

const nodes = useNodes(afterEach);
const joined: JoinedNode[] = [];
afterEach(async () => {
  await Promise.all(joined.splice(0).map((node) => node.stop()));
});

/** Starts members of the chain, connected with each other. */
async function startMembers(genesis: object, names: readonly Name[]): Promise<RunningNode> {
  for (const name of names)
    nodes.push(await startNode(['--peer-exchange', 'false'], { genesis, nodeKey: keyOf(name) }));
  await connect(nodes);
  return nodes[0] as RunningNode;
}

async function join(setup: JoiningSetup): Promise<JoinedNode> {
  const node = await (await JoiningNode.create(setup)).start();
  joined.push(node);
  return node;
}

/** Joins the chain of the node, lets it go on, and compares what both answer. */
async function joinAndCompare(full: RunningNode, genesis: object): Promise<JoinedNode> {
  const node = await join({ genesis, peers: [await enodeOf(full)] });
  await transact(full, 4);
  await assertEqualAnswers(full.url, node, QUERIES);
  return node;
}

/** The validators after a block, as a node says. */
const validatorsAt = async (url: string, block: number) =>
  (await post(url, 'ibft_getValidators', [`0x${block.toString(16)}`])).result as Address[];

describe('a node process joins by state, and answers as one that executed everything, on a network', () => {
  it('of IBFT, in which a validator was voted in and out', async () => {
    const genesis = withContracts(
      genesisOf({ engine: 'ibft', validators: ['A'], blockPeriodMs: PERIOD, requestTimeoutSeconds: 1 }),
      [],
    );
    const full = await startMembers(genesis, ['A', 'B']);
    const other = nodes[1] as RunningNode;
    const validators = async () => (await full.result<Address[]>('ibft_getValidators')).length;
    await full.result('ibft_propose', [addressOf('B'), true]);
    await until(async () => (await validators()) === 2);
    await full.result('ibft_discard', [addressOf('B')]);
    await transact(full, 4);
    for (const node of [full, other]) await node.result('ibft_propose', [addressOf('B'), false]);
    await until(async () => (await validators()) === 1);
    await pass(full, 3);
    const node = await joinAndCompare(full, genesis);
    expect(await validatorsAt(node.url, await heightAt(node.url))).toEqual([addressOf('A')]);
  });

  it('with transitions from IBFT to QBFT, to a contract that names the validators, and back', async () => {
    const transitions = [
      { block: 6, algorithm: 'qbft' },
      { block: 12, validatorselectionmode: 'contract', validatorcontractaddress: VALIDATOR_CONTRACT },
      { block: 40, validatorselectionmode: 'blockheader' },
    ];
    const genesis = withContracts(
      genesisOf({ engine: 'ibft', validators: ['A'], blockPeriodMs: PERIOD, transitions }),
      [addressOf('A')],
    );
    const full = await startMembers(genesis, ['A']);
    await transact(full, 4);
    await until(async () => (await heightOf(full)) > 44);
    await joinAndCompare(full, genesis);
  });

  it('whose validators a contract names, of which there were others before', async () => {
    const consensus = { validatorselectionmode: 'contract', validatorcontractaddress: VALIDATOR_CONTRACT };
    const setup = { engine: 'qbft', validators: ['A'], blockPeriodMs: PERIOD, consensus } as const;
    const genesis = withContracts(genesisOf({ ...setup, requestTimeoutSeconds: 1 }), [addressOf('A')]);
    const full = await startMembers(genesis, ['A', 'B']);
    await transact(full, 4);
    // The second one first, and then that there are two.
    await store(full, VALIDATOR_CONTRACT, 3, addressOf('B'));
    await store(full, VALIDATOR_CONTRACT, 1, 2);
    await pass(full, 4);
    const node = await joinAndCompare(full, genesis);
    const expected = [addressOf('A'), addressOf('B')].sort();
    expect(await validatorsAt(node.url, await heightAt(node.url))).toEqual(expected);
  });

  it('with permission contracts, whose records it has from the state', async () => {
    const full = await startPermissioned('v2');
    nodes.push(full);
    const client = new PermissionClient(full);
    const nodeId = Buffer.from(publicKeyFromPrivateKey(BANK_KEY)).toString('hex');
    const genesis = permissionedGenesis();
    const firstEnode = await enodeOf(full);
    const joining = await JoiningNode.create({
      genesis,
      peers: [firstEnode],
      key: BANK_KEY,
      flags: ['--permissioned'],
      files: {
        'permission-config.json': configText('v2'),
        'permissioned-nodes.json': JSON.stringify([firstEnode]),
      },
    });
    const url = `enode://${nodeId}@127.0.0.1:${joining.peerPort}?discport=0`;
    for (const [method, from] of [
      ['chainPermission_addOrg', ADMIN],
      ['chainPermission_approveOrg', ADMIN],
      ['chainPermission_approveOrg', OTHER_ADMIN],
    ] as const)
      await client.done(method, ['BANK', url, BANKER], from);
    await pass(full, 2);
    const node = await joining.start();
    joined.push(node);
    const transfer = { from: ADMIN, to: OTHER_ADMIN, value: '0x1', gas: '0x5208' };
    await full.mined(await full.result<string>('eth_sendTransaction', [transfer]));
    await assertEqualAnswers(full.url, node, QUERIES);
    const asked = async <T>(method: string, ...params: unknown[]) =>
      (await post(node.url, method, params)).result as T;
    const listed = await listedEntries(asked);
    expect(listed.orgs.map((org) => org['fullOrgId'])).toContain('BANK');
    expect(listed).toEqual(await listedEntries((method, ...params) => full.result(method, params)));
  });
});

describe('a node process joins from a node that imported', () => {
  it.each(['qbft', 'istanbul'] as const)('the %s chain of a GoQuorum', async (name) => {
    const { genesisFile, file, blocks } = recordedFiles(name);
    const genesis = JSON.parse(await readFile(genesisFile, 'utf8')) as object;
    const full = await startNode(['--validator', 'false'], {
      genesis,
      nodeKey: keyOf('A'),
      prepare: async (databaseUrl) => {
        const folder = await ImportFolder.create();
        const own = new ImportFolder(folder.folder, { url: databaseUrl, drop: async () => undefined });
        await own.import(genesisFile, [file]);
        await folder.remove();
      },
    });
    nodes.push(full);
    const node = await join({ genesis, peers: [await enodeOf(full)] });
    expect(node.joinedBlock).toBe(blocks.length - 2);
    await assertEqualAnswers(full.url, node, QUERIES);
  });

  it.each(['private', 'marker', 'works'])(
    'the %s chain of a GoQuorum with private transactions, as a party to none of them',
    async (name) => {
      const blocks = await recordedBlocks(name);
      const full = await startOnRecordedChain(name, blocks, ['--peer-exchange', 'false']);
      nodes.push(full);
      const flags = ['--genesis-rules', 'goquorum'];
      const genesis = genesisFile(name) as object;
      const node = await join({ genesis, peers: [await enodeOf(full)], flags });
      expect(node.joinedBlock).toBe(blocks.length - 2);
      await assertEqualAnswers(full.url, node, QUERIES);
    },
  );
});
