import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bftRules } from '@tetrad/node-consensus-bft';
import { findSoftHsm, startSoftHsm, until, type SoftHsm } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { startNode, type NodeSetup, type RunningNode } from '../running-node.js';
import { createTokenAccount, type TokenAccount } from '../token-account.js';
import { addressOf, keyOf, type Name } from '../validator-chain.js';
import {
  connect,
  enodeOf,
  genesisOf,
  heightOf,
  pass,
  useNodes,
  type BlockView,
} from '../validator-network.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
const OTHERS: readonly Name[] = ['A', 'B', 'C'];

const nodes = useNodes(afterEach);
let hsm: SoftHsm;
let key: TokenAccount;
beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  key = await createTokenAccount(hsm, 'validator');
});
afterEach(() => hsm?.setFault(undefined));
afterAll(() => hsm?.stop());

const remoteKey = (fromLibrary?: string) => ({
  address: key.address,
  fileName: key.fileName,
  text: key.fileText(fromLibrary, 5_000),
});
const readiness = async (node: RunningNode, of = '') => (await fetch(`${node.opsUrl}/readyz${of}`)).text();
const minerAt = async (node: RunningNode, height: number) =>
  (await node.result<BlockView>('eth_getBlockByNumber', [`0x${height.toString(16)}`, false])).miner;

/** Blocks that the node has built to propose them. */
async function proposedBy(node: RunningNode): Promise<number> {
  const metrics = await (await fetch(`${node.opsUrl}/metrics`)).text();
  return Number(/^node_blocks_produced_total(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1] ?? 0);
}

async function start(setup: NodeSetup): Promise<RunningNode> {
  const node = await startNode(['--peer-exchange', 'false'], setup);
  nodes.push(node);
  return node;
}

withHsm('a validator whose key is in an HSM', () => {
  it('produces blocks, none while the token is away, and the next one once it is back', async () => {
    const node = await start({ remoteKey: remoteKey(hsm.buildFaultyLibrary()), accounts: 1 });
    await pass(node, 3);
    const [from] = node.accounts;
    const hash = await node.result<string>('eth_sendTransaction', [{ from, to: from, gas: '0x5208' }]);
    expect(await node.mined(hash)).toMatchObject({ status: '0x1' });
    expect(await minerAt(node, 2)).toBe(key.address);
    hsm.setFault('removed');
    await until(async () => (await readiness(node)).includes(`${key.address}: PKCS#11 token`));
    expect((await fetch(`${node.opsUrl}/readyz/rollout`)).status).toBe(503);
    const stood = await heightOf(node);
    hsm.setFault(undefined);
    await until(async () => (await heightOf(node)) > stood + 2);
    await until(async () => !(await readiness(node)).includes(key.address));
  });

  it('starts while the token is away, serves reads, and seals once it is back', async () => {
    const faulty = hsm.buildFaultyLibrary();
    hsm.setFault('removed');
    const node = await start({ remoteKey: remoteKey(faulty), accounts: 1 });
    expect(await heightOf(node)).toBe(0);
    expect(await enodeOf(node)).toContain(Buffer.from(key.publicKey).toString('hex'));
    hsm.setFault(undefined);
    await pass(node, 2);
  });

  it.each(['qbft', 'ibft'] as const)(
    'is one of four of %s: the others go on while its HSM hangs, and it proposes again afterwards',
    async (engine) => {
      const setup = { engine, requestTimeoutSeconds: 2 };
      const validators = [key.address, ...OTHERS.map(addressOf)];
      const extraData = hexFromBytes(bftRules(engine).genesisExtraData(validators));
      const genesis = { ...genesisOf(setup), extraData };
      const own = await start({ genesis, remoteKey: remoteKey(hsm.buildFaultyLibrary()) });
      for (const name of OTHERS) await start({ genesis, nodeKey: keyOf(name) });
      await connect(nodes);
      await until(async () => (await proposedBy(own)) > 0);
      hsm.setFault('hang');
      await pass(nodes[1] as RunningNode, 5);
      hsm.setFault(undefined);
      const before = await proposedBy(own);
      await until(async () => (await proposedBy(own)) > before + 1);
      const common = Math.min(...(await Promise.all(nodes.map(heightOf))));
      const hashes = await Promise.all(
        nodes.map((node) =>
          node.result<BlockView>('eth_getBlockByNumber', [`0x${common.toString(16)}`, false]),
        ),
      );
      expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
    },
  );
});

describe('a node key file that names a key elsewhere', () => {
  const ADDRESS = `0x${'ab'.repeat(20)}` as const;
  const KMS = '[signing]\ntype = "aws-kms-signer"\nkey-id = "a"\n';
  const startWith = (text: string, fileName = `${ADDRESS.slice(2)}.toml`) =>
    startNode([], { remoteKey: { address: addressOf('A'), fileName, text } });

  it.each([
    ['has no public key', KMS, undefined, /signing\.public-key is required: 128 hex digits/],
    [
      'has no hex as public key',
      `${KMS}public-key = "12"\n`,
      undefined,
      /public-key: must be 128 hex digits \(line 4\)/,
    ],
    [
      'has the public key of another address',
      `${KMS}public-key = "${'11'.repeat(64)}"\n`,
      undefined,
      /signing\.public-key is not the key of 0xab/,
    ],
    ['has no address in its name', KMS, 'nodekey.toml', /its name must end with the address/],
  ])('is refused when it %s', async (_, text, name, problem) => {
    await expect(startWith(text, name)).rejects.toThrow(problem);
  });
});
