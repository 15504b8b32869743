import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { defaultGenesis } from '@tetrad/node-execution';
import { developmentAccounts, until } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { createNodeHome, type NodeHome, type NodeProcess } from '../node-process.js';
import { CHAIN_ID, post, startNode, type RunningNode } from '../running-node.js';

const VALIDATOR = Buffer.alloc(32, 0x42);
/** More than one answer has. */
const ACCOUNTS = 4_500;
/** Stores 7 in slot 0; each call logs, and answers the slot. */
const CONTRACT = '0x60076000556010601160003960106000f360006000a060005460005260206000f3';

const funded = [...developmentAccounts(3, 'held'), ...developmentAccounts(4, 'owner')];
const genesis = defaultGenesis({
  chainId: CHAIN_ID,
  engine: 'qbft',
  blockPeriodMs: 100,
  extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(VALIDATOR)])),
  balances: new Map([
    ...funded.map(({ address }) => [address, 10n ** 24n] as const),
    ...Array.from({ length: ACCOUNTS }, (_, index) => {
      return [`0xaa${index.toString(16).padStart(38, '0')}`, 1n] as const;
    }),
  ] as [(typeof funded)[number]['address'], bigint][]),
});

let full: RunningNode;
let home: NodeHome;
let flags: string[];
let contract: string;

const send = async (transaction: object) => {
  const [from] = full.accounts;
  return full.mined(
    await full.result<string>('eth_sendTransaction', [{ from, gas: '0x30d40', ...transaction }]),
  );
};
const enodeOf = async (url: string) =>
  ((await post(url, 'admin_nodeInfo', [])).result as { enode: string }).enode;

beforeAll(async () => {
  full = await startNode([], { genesis });
  contract = (await send({ data: CONTRACT })).contractAddress;
  await send({ to: contract });
  await until(async () => Number(await full.result('eth_blockNumber')) > 5);
  home = await createNodeHome([]);
  const files = { genesis: join(home.folder, 'joined.json'), key: join(home.folder, 'joined.key') };
  await writeFile(files.genesis, JSON.stringify(genesis));
  await writeFile(files.key, '51'.repeat(32));
  const peers = await enodeOf(full.url);
  const values = { genesis: ['--genesis-file', files.genesis], key: ['--node-key-file', files.key] };
  const others = ['--log-level', 'info', '--http-api', 'eth,admin,debug', '--peers', peers];
  flags = [...values.genesis, ...values.key, ...others];
});
afterAll(async () => {
  await home?.remove();
  await full?.stop();
});

/** What both answer to a question. */
const both = (url: string, method: string, params: readonly unknown[]) =>
  Promise.all([full.url, url].map((one) => post(one, method, params)));

/** Compares a node that joined with the one that executed everything, at a block that is mined now. */
async function assertSame(url: string): Promise<void> {
  const { blockNumber: at, transactionHash } = (await send({ to: contract })) as Record<string, unknown>;
  await until(async () => Number((await post(url, 'eth_blockNumber', [])).result) >= Number(at));
  const questions: [string, unknown[]][] = [
    ['eth_getBlockByNumber', [at, true]],
    ['eth_getTransactionReceipt', [transactionHash]],
    ['eth_getLogs', [{ fromBlock: at, toBlock: at }]],
    ['eth_call', [{ to: contract }, at]],
    ['eth_getCode', [contract, at]],
    ['eth_getProof', [contract, ['0x0'], at]],
    ['debug_traceTransaction', [transactionHash]],
    ...funded.map(({ address }): [string, unknown[]] => ['eth_getProof', [address, [], at]]),
  ];
  for (const [method, params] of questions) {
    const [expected, found] = await both(url, method, params);
    expect([method, found]).toEqual([method, expected]);
    expect([method, found?.error]).toEqual([method, undefined]);
  }
}

describe('a node with --sync state', () => {
  let node: NodeProcess;

  it('joins although it is killed in each part, and answers as a node that executed everything', async () => {
    const joining = [...flags, '--sync', 'state', '--history', 'none'];
    for (const text of ['joining by state', 'taking the state of a block', 'accounts of the state are there'])
      await home.killAt(text, joining);
    const unfinished = await home.run([...flags, '--sync', 'full']);
    expect(unfinished.stderr + unfinished.stdout).toContain('go on with --sync state');
    await home.killAt('the state is complete', joining);
    node = await home.start(joining);
    await assertSame(home.url);
  });

  it('names what is not here', async () => {
    for (const [method, params] of [
      ['eth_getBlockByNumber', ['0x1', false]],
      ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2' }]],
    ] as const)
      expect((await post(home.url, method, params)).error?.message).toMatch(
        /pruned history unavailable: not here, this node joined by state at block (\d+) and has transactions, receipts and logs from block \d+ on/,
      );
    const old = await post(home.url, 'eth_getBalance', [contract, '0x1']);
    expect(old.error?.message).toMatch(/missing trie node|pruned history unavailable/);
  });

  it('serves its state to the next one', async () => {
    const peers = ['--peers', await enodeOf(home.url), '--peer-exchange', 'false'];
    const next = await startNode(['--sync', 'state', ...peers], { genesis, nodeKey: Buffer.alloc(32, 0x61) });
    try {
      await assertSame(next.url);
    } finally {
      await next.stop();
    }
  });

  it('starts again without the option, and not with a manager', async () => {
    await node.stop();
    const refused = await home.run([...flags, '--ptm-url', 'http://127.0.0.1:1']);
    expect(refused.stderr + refused.stdout).toContain('this node joined by state at block');
    await home.killAt('filling in the past', flags);
    node = await home.start(flags);
    await assertSame(home.url);
  });

  it('fills in the past, and answers as a node that executed it', async () => {
    await until(
      async () => (await post(home.url, 'eth_getBlockByNumber', ['0x1', true])).error === undefined,
    );
    const head = Number(await full.result('eth_blockNumber'));
    // The first blocks have the transactions; how many follow depends on the host.
    const numbers = Array.from({ length: 30 }, (_, index) => Math.min(index, head));
    const blocks = [...numbers, Math.floor(head / 2), head].map((number) => `0x${number.toString(16)}`);
    const filter = { fromBlock: '0x0', toBlock: blocks.at(-1) };
    await until(async () => Number((await post(home.url, 'eth_blockNumber', [])).result) >= head);
    const questions: [string, unknown[]][] = [
      ['eth_getLogs', [filter]],
      ['eth_getLogs', [{ ...filter, address: contract }]],
      ...blocks.flatMap((block): [string, unknown[]][] => [
        ['eth_getBlockByNumber', [block, true]],
        ['eth_getBlockReceipts', [block]],
      ]),
    ];
    for (const [method, params] of questions) {
      const [expected, found] = await both(home.url, method, params);
      expect([method, params, found]).toEqual([method, params, expected]);
      expect(found?.error).toBeUndefined();
    }
    await node.stop();
  });
});

/** The words of a command of the page about joining by state, with others in place of those that are an operator's own. */
async function documented(
  command: string,
  own: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/how-to/join-by-state.md'), 'utf8');
  const line = page.split('\n').find((one) => one.startsWith(`$ ./tetrad node ${command} `));
  const words = line?.split(' ').slice(3) ?? [];
  for (const word of Object.keys(own)) expect([line, words]).toEqual([line, expect.arrayContaining([word])]);
  return words.flatMap((word) => own[word] ?? [word]);
}

describe('a state in a file', () => {
  it('is written and read by the commands of the page, and the node goes on from it', async () => {
    const other = await createNodeHome([]);
    const names = {
      'state.file': [join(other.folder, 'state.file')],
      '--config-file': [],
      'node.toml': flags,
    };
    const { hash } = await full.result<{ hash: string }>('eth_getBlockByNumber', ['0x5', false]);
    try {
      const exported = await home.run(await documented('export-state', names));
      expect(exported).toMatchObject({ code: 0 });
      const { block } = JSON.parse(exported.stdout.trim().split('\n').at(-1) ?? '') as { block: number };
      const checkpoint = { '2000000:0x6f0c…': [`5:${hash}`] };
      const imported = await other.run(await documented('import-state', { ...names, ...checkpoint }));
      expect(imported).toMatchObject({ code: 0 });
      expect(JSON.parse(imported.stdout.trim().split('\n').at(-1) ?? '')).toEqual({ block });
      const started = await other.start(flags);
      await assertSame(other.url);
      await started.stop();
    } finally {
      await other.remove();
    }
  });
});
