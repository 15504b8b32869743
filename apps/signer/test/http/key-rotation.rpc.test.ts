import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { Transaction } from 'ethers';
import {
  createFolder,
  createKey,
  removeFolders,
  type KeyFolder,
  type TestKey,
} from '../../../../libs/signer/keys/test/key-folder.js';
import { FakeChain } from '../fake-chain.js';
import { startFakeNode, type FakeBehaviour, type FakeNode } from '../fake-node.js';
import { BASE, REFERENCE_CHAIN, without } from '../reference-keys.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

/** The steps of docs/operations/rotate-keys.md: a key is added, callers move to it, the former one is removed. */
const chains = new Map<string, FakeChain>();
let folder: KeyFolder;
let former: TestKey;
let next: TestKey;
let node: FakeNode;
let signer: RunningSigner;

/** The chain as each account sees it. */
const behaviour: FakeBehaviour = (request, response) => {
  const [first] = request.rpc.params ?? [];
  const sender =
    request.rpc.method === 'eth_sendRawTransaction' ? Transaction.from(String(first)).from : first;
  return (chains.get(String(sender).toLowerCase()) ?? new FakeChain()).behaviour(request, response);
};

beforeAll(async () => {
  folder = await createFolder();
  [former, next] = [await createKey(), await createKey()];
  for (const { address } of [former, next]) chains.set(address, new FakeChain());
  await folder.addFileSigner(former);
  node = await startFakeNode(behaviour);
  signer = await startSigner({
    downstreamPort: node.port,
    chainId: REFERENCE_CHAIN,
    keyFlags: ['multikey-signer', '--directory', folder.path],
  });
  await until(async () => (await accounts()).includes(former.address));
});
afterAll(async () => {
  await signer?.stop();
  await node?.stop();
  await removeFolders();
});

const accounts = async () => (await signer.call('eth_accounts')).result as string[];
const send = ({ address: from }: TestKey) =>
  signer.call('eth_sendTransaction', [{ ...without(BASE, 'nonce'), from }]);

it('a key is replaced while callers send, and no acknowledged transaction is lost', async () => {
  const acknowledged: string[] = [];
  let present = former;
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { result, error } = await send(present);
      if (error !== undefined) throw new Error(error.message);
      acknowledged.push(result as string);
    }
  });
  await until(async () => acknowledged.length > 20);
  await folder.addFileSigner(next);
  await until(async () => (await accounts()).includes(next.address));
  present = next;
  await until(async () => (chains.get(next.address)?.taken.size ?? 0) > 20);
  await folder.remove(`${former.name}.toml`);
  await until(async () => !(await accounts()).includes(former.address));
  expect((await send(former)).error).toBeDefined();
  const moved = acknowledged.length;
  await until(async () => acknowledged.length > moved + 20);
  isOver = true;
  await Promise.all(callers);
  const taken = new Set([...chains.values()].flatMap((chain) => [...chain.taken.values()]));
  expect(acknowledged.filter((hash) => !taken.has(hash))).toEqual([]);
  for (const chain of chains.values()) expect(chain.pendingCount()).toBe(chain.taken.size);
});
