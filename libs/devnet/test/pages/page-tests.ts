import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, callRpc, sendPrivately, type Endpoints } from '@tetrad/devnet';
import { loadToken, until } from '@tetrad/testkit';
import { Contract, ContractFactory, Wallet, getCreateAddress } from 'ethers';
import { exampleFaults } from './example-faults.js';
import { PageShell, blocksOf } from './page-shell.js';

const DOCS = join(ROOT, 'docs');
const TUTORIAL = 'tutorial/private-contract.md';
const [up = '', ...inSecondTerminal] = blocksOf(TUTORIAL);

/** The network of the tutorial, which `./tetrad up` has started in a folder. */
export interface PageNetwork {
  readonly folder: string;
  /** The first port of the network, and of the `PAGE_PORTS` that are free for what the pages add. */
  readonly portBase: number;
  readonly endpoints: Endpoints;
}

let folder: string;
let shell: PageShell;
let endpoints: Endpoints;

/**
 * Runs a page to its end.
 * @returns what it printed
 */
async function follow(blocks: readonly string[]): Promise<string> {
  expect(blocks.length).toBeGreaterThan(0);
  const { code, stdout, stderr } = await shell.run(blocks);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The results that a page printed, each on a line. */
const resultsIn = (text: string): readonly unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"jsonrpc"') && line.endsWith('}'))
    .map((line) => (JSON.parse(line) as { result: unknown }).result);

/** Of what is transferred. */
const RECIPIENT = `0x${'7e'.repeat(20)}`;

/** A private token of the first node and the one that joined, of which the sender has transferred some. */
class PrivateToken {
  private constructor(
    readonly address: string,
    private readonly calls: Contract['interface'],
    private readonly parts: PrivateParts,
  ) {}

  static async deploy(parts: PrivateParts): Promise<PrivateToken> {
    const { abi, bytecode } = await loadToken();
    const { data } = await new ContractFactory([...abi], bytecode).getDeployTransaction('A', 'A', 1_000n);
    const nonce = await nonceOf(parts);
    await sendPrivately({ ...parts, nonce, data });
    const address = getCreateAddress({ from: parts.wallet.address, nonce });
    return new PrivateToken(address, new Contract(address, [...abi]).interface, parts);
  }

  async transfer(): Promise<void> {
    const data = this.calls.encodeFunctionData('transfer', [RECIPIENT, 1n]);
    await sendPrivately({ ...this.parts, nonce: await nonceOf(this.parts), to: this.address, data });
  }

  /** Whether a node has executed the transfer. */
  async isTransferredOn(url: string): Promise<boolean> {
    const data = this.calls.encodeFunctionData('balanceOf', [RECIPIENT]);
    const balance = await callRpc(url, 'eth_call', [{ to: this.address, data }, 'latest']);
    return balance === `0x${'1'.padStart(64, '0')}`;
  }

  /** Its private storage root on both nodes; `0x` or null where it does not exist. */
  rootsOn(urls: readonly string[]): Promise<readonly unknown[]> {
    return Promise.all(urls.map((url) => callRpc(url, 'eth_storageRoot', [this.address, 'latest'])));
  }
}

type PrivateParts = Pick<Parameters<typeof sendPrivately>[0], 'wallet' | 'through' | 'privateFor'>;

const nonceOf = async ({ wallet, through }: PrivateParts) =>
  Number(await callRpc(through.rpc, 'eth_getTransactionCount', [wallet.address, 'pending']));

/** Pages whose commands other tests run: those of a network without `up`, of etcd, and of the composition. */
const ELSEWHERE = ['new-network.md', 'permissions.md', 'consortium.md', 'raft.md', 'compose.md'];

/**
 * Follows the pages for a development network on one that runs.
 * @param command - that started it
 */
export function testPages(command: string, network: () => PageNetwork): void {
  beforeAll(async () => {
    ({ folder, endpoints } = network());
    shell = await PageShell.open(folder, network().portBase);
  });
  afterAll(() => shell?.end());

  it('the tutorial starts it with the same command', () => {
    expect(up.trim()).toBe(command);
  });

  it('every page with commands is followed', async () => {
    const source = await readFile(import.meta.filename, 'utf8');
    const names = (await readdir(join(DOCS, 'how-to'))).filter((name) => name.endsWith('.md'));
    const pages = names.filter((name) => !ELSEWHERE.includes(name));
    const withCommands = pages.filter((name) => blocksOf(join('how-to', name)).length > 0);
    expect(withCommands.length).toBeGreaterThan(5);
    expect(withCommands.filter((name) => !source.includes(`blocksOf('how-to/${name}')`))).toEqual([]);
  });

  // The pages build on each other, in this order.
  describe('the pages for a development network', () => {
    it('the tutorial shows a private contract to its parties, and not to others', async () => {
      const printed = await follow(inSecondTerminal);
      const answers = [...printed.matchAll(/"result":"(0x[^"\n]*)"?/g)].map(([, text = '']) =>
        text.slice(0, 4),
      );
      // The height; code at two parties and an outsider; payloads likewise.
      expect(answers.slice(-6)).toEqual(['0x60', '0x60', '0x', '0x60', '0x60', '0x']);
      expect(printed).toMatch(/^0x[0-9a-f]{128}$/m);
      const [expected = ''] = /^node0 42\n[^`]*/m.exec(await readFile(join(DOCS, TUTORIAL), 'utf8')) ?? [];
      expect(printed.slice(-expected.length)).toBe(expected);
    }, 600_000);

    it('a node joins with its manager', async () => {
      const printed = await follow(blocksOf('how-to/join-a-network.md'));
      expect(printed).toMatch(/^genesis +0x[0-9a-f]{64}$/m);
      expect(resultsIn(printed)).toEqual([true, '0x4']);
    }, 600_000);

    it('it is voted in, and out again', async () => {
      const results = resultsIn(await follow(blocksOf('how-to/vote.md')));
      const sizes = results.filter(Array.isArray).map(({ length }) => length);
      expect(new Set(sizes)).toEqual(new Set([5]));
      expect(results.filter((result) => result !== null && !Array.isArray(result))).toEqual([]);
    }, 600_000);

    it('a contract is extended to a new party with its value', async () => {
      const results = resultsIn(await follow(blocksOf('how-to/extend-a-contract.md')));
      expect(results.slice(-2)).toEqual(['DONE', `0x${(42).toString(16).padStart(64, '0')}`]);
    }, 600_000);

    it('a signer in front signs and forwards', async () => {
      const [accounts, receipt] = resultsIn(await follow(blocksOf('how-to/signer-in-front.md')));
      expect(accounts).toEqual([(receipt as { from: string }).from]);
    }, 600_000);

    it('a node answers by the names of existing clients', async () => {
      const [validators, payload] = resultsIn(await follow(blocksOf('how-to/existing-clients.md')));
      expect(validators).toHaveLength(endpoints.nodes.length);
      expect(payload).toBe('0x');
    }, 600_000);

    it('the console names the nodes', async () => {
      const printed = await follow(blocksOf('how-to/console.md'));
      const { nodes } = JSON.parse(printed.slice(printed.indexOf('{'))) as { nodes: { name: string }[] };
      expect(nodes.map(({ name }) => name)).toEqual(endpoints.nodes.map(({ name }) => name));
    }, 600_000);

    it('a node that lost its databases is restored', async () => {
      const [backUp = '', ...after] = blocksOf('how-to/restore.md');
      const [through] = endpoints.nodes;
      const { privateKey } = endpoints.funded[0] ?? {};
      if (through === undefined || privateKey === undefined) throw new Error('the network has no node');
      const privateFor = [(await readFile(join(folder, 'joined/manager.pub'), 'utf8')).trim()];
      const parts = { wallet: new Wallet(privateKey), through, privateFor };
      // Contracts of before the backup and of after it, both changed after it, and a transaction that concerns others.
      const older = await PrivateToken.deploy(parts);
      await follow([backUp]);
      const newer = await PrivateToken.deploy(parts);
      for (const token of [older, newer]) await token.transfer();
      const others = [endpoints.nodes[1]?.ptmKey ?? ''];
      await PrivateToken.deploy({ ...parts, privateFor: others });
      const urls = [through.rpc, shell.onOwnPorts('http://127.0.0.1:22040')];
      const roots = async () => Promise.all([older, newer].map((token) => token.rootsOn(urls)));
      const isOne = ([one, other]: readonly unknown[]) =>
        one === other && /^0x[0-9a-f]{64}$/.test(String(one));
      for (const token of [older, newer])
        for (const url of urls) await until(() => token.isTransferredOn(url));
      const before = await roots();
      expect(before.map(isOne)).toEqual([true, true]);

      const printed = await follow(after);
      expect(resultsIn(printed)).toEqual([false]);
      expect(printed).toContain('complete: every peer has sent what it has');
      for (const token of [older, newer])
        for (const url of urls) await until(() => token.isTransferredOn(url));
      expect(await roots()).toEqual(before);
    }, 600_000);
  });

  describe('the examples of the reference', () => {
    it.each(['wallet', 'signer', 'node'])(
      'of the %s are answered as documented',
      async (service) => {
        const { nodes, signer, wallet } = endpoints;
        const urls = { node: nodes[0]?.rpc, signer: signer?.rpc, wallet: `${wallet?.rpc}${wallet?.path}` };
        expect(await exampleFaults(urls[service as keyof typeof urls] ?? '', service)).toEqual([]);
      },
      600_000,
    );
  });
}
