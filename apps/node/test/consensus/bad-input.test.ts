import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { generatePrivateKey, publicKeyFromPrivateKey, signingKeyOf } from '@tetrad/crypto';
import { bytesFromHex, parseAddress, parseHash } from '@tetrad/types';
import { presign, until } from '@tetrad/testkit';
import { CollectedLog } from '../../../../libs/node/chain/peer/test/collected-log.js';
import { HostilePeer } from '../../../../libs/node/chain/peer/test/hostile-peer.js';
import { encodeHead } from '../../../../libs/node/chain/peer/src/wire/handshake-messages.js';
import { encodeConsensusEnvelope } from '../../../../libs/node/chain/peer/src/wire/consensus-envelope.js';
import type { PushMessage } from '../../../../libs/node/chain/peer/src/wire/push-message.js';
import type { RunningNode } from '../running-node.js';
import { keyOf } from '../validator-chain.js';
import {
  connect,
  enodeOf,
  heightOf,
  pass,
  sendThrough,
  startMember,
  useNodes,
  type ValidatorNetworkSetup,
} from '../validator-network.js';

const SETUP: ValidatorNetworkSetup = { engine: 'qbft', requestTimeoutSeconds: 1 };

const nodes = useNodes(afterAll);
let log: CollectedLog;
const hostile: HostilePeer[] = [];

/** A, B and C are a quorum; under the key of D, a validator, or another one the test talks to A. */
beforeAll(async () => {
  log = new CollectedLog();
  nodes.push(await startMember(SETUP, 'A', { logger: log }));
  for (const name of ['B', 'C'] as const) nodes.push(await startMember(SETUP, name));
  await connect(nodes);
  await until(async () => (await heightOf(nodes[0] as RunningNode)) >= 2);
});
afterEach(() => {
  for (const peer of hostile.splice(0)) peer.close();
});

async function attack(privateKey: Uint8Array = keyOf('D')): Promise<HostilePeer> {
  const [node] = nodes as [RunningNode];
  const { hash } = await node.result<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
  const options = { key: signingKeyOf(privateKey), genesisHash: parseHash(hash) };
  const peer = await HostilePeer.connect({ enode: await enodeOf(node) }, options);
  hostile.push(peer);
  return peer;
}

/** The three go on, take transactions, and are ready; nothing went wrong inside. */
async function expectUnharmed(): Promise<void> {
  const [node] = nodes as [RunningNode];
  const from = await heightOf(node);
  await sendThrough(node, nodes);
  await until(async () => (await heightOf(node)) >= from + 2);
  // A check that takes longer than three seconds, as on a busy host, counts as one that failed.
  await until(async () => (await fetch(`${node.opsUrl}/readyz`)).status === 200);
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

const consensus = (message: Uint8Array): PushMessage => ({
  kind: 'consensus',
  payload: encodeConsensusEnvelope({ relay: true, message }),
});
const rawBlock = async (number: number) => {
  const [node] = nodes as [RunningNode];
  const { extraData } = await node.result<{ extraData: string }>('eth_getBlockByNumber', [
    `0x${number.toString(16)}`,
    false,
  ]);
  return bytesFromHex(extraData);
};

describe('a peer that sends a node of a running network', () => {
  it.each<[string, string, () => PushMessage | Promise<PushMessage>]>([
    [
      'random consensus messages',
      'invalid consensus message',
      () => consensus(Uint8Array.of(0x12 + Math.floor(Math.random() * 5), ...randomBytes(200))),
    ],
    [
      'consensus messages of a kind that there is not',
      'invalid consensus message',
      () => consensus(Uint8Array.of(0x77, ...randomBytes(20))),
    ],
    [
      'pieces of what is in blocks',
      'invalid consensus message',
      async () => consensus(Buffer.concat([Uint8Array.of(0x14), await rawBlock(1)])),
    ],
    ['malformed blocks', 'invalid block', () => ({ kind: 'block', payload: RLP.encode([randomBytes(9)]) })],
    [
      'transactions of another chain',
      'invalid transaction',
      () => {
        const to = parseAddress(`0x${'ab'.repeat(20)}`);
        const nonce = Math.floor(Math.random() * 1_000_000);
        const transfer = { gasLimit: 21_000, to, value: 1n, gasPrice: 0n, data: new Uint8Array(0) };
        const raw = presign({ chainId: 7n, nonce, ...transfer }, keyOf('D'));
        return { kind: 'transaction', payload: raw };
      },
    ],
  ])(
    '%s is cut off, which is logged once, and the others go on',
    async (_, offence, make) => {
      const key = generatePrivateKey();
      const shortId = Buffer.from(publicKeyFromPrivateKey(key)).toString('hex').slice(0, 16);
      const cutOffs = () =>
        log.lines.filter(
          ({ message, values }) =>
            message === 'peer disconnected for misbehaviour' && values.peer === shortId,
        );
      // It does not listen, so that connections end when it is pinged; what it did is remembered all the same.
      await until(async () => {
        const peer = await attack(key).catch(() => undefined);
        await peer?.push([await make()]).catch(() => undefined);
        return cutOffs().length > 0;
      });
      await expect(attack(key)).rejects.toMatchObject({ rejection: 'banned' });
      expect(cutOffs()).toMatchObject([{ level: 'warn', values: { offence } }]);
      await expectUnharmed();
    },
    300_000,
  );

  it('a head that it does not have is not trusted', async () => {
    const peer = await attack();
    await peer.push([
      { kind: 'head', payload: encodeHead({ number: 1_000_000, hash: parseHash(`0x${'ef'.repeat(32)}`) }) },
    ]);
    // One validator of four does not take the nodes of others out of service.
    const readiness = await fetch(`${nodes[0]?.opsUrl}/readyz`);
    expect(await readiness.text()).not.toContain('behind its peers');
    await expectUnharmed();
  });

  it('a body above the limit is refused', async () => {
    const peer = await attack();
    await peer.post('push', randomBytes(40_000_000)).catch(() => undefined);
    await expectUnharmed();
  });
});

describe('a node of another chain', () => {
  it('is refused, and harms no node', async () => {
    const [node] = nodes as [RunningNode];
    const connecting = HostilePeer.connect({ enode: await enodeOf(node) });
    await expect(connecting).rejects.toMatchObject({ rejection: 'wrong-genesis' });
    await expectUnharmed();
  });
});

describe('two running nodes with one key', () => {
  it('are noticed by the second, which is not ready, and by the node that both talk to', async () => {
    const secondLog = new CollectedLog();
    // It has the key of B, and a database of its own.
    const second = await startMember(SETUP, 'B', { logger: secondLog });
    try {
      await second.result('admin_addPeer', [await enodeOf(nodes[0] as RunningNode)]);
      const readiness = async () => {
        const response = await fetch(`${second.opsUrl}/readyz/rollout`);
        return [response.status, await response.text()] as const;
      };
      await until(async () => (await readiness())[1].includes('has the key of this one'));
      expect((await readiness())[0]).toBe(503);
      expect(secondLog.complaints('another running node has the key of this one')).toBeGreaterThan(0);
      await until(async () => log.complaints('two running nodes have the same node key') > 0);
      expect(log.complaints('two running nodes have the same node key')).toBe(1);
      expect(await heightOf(second)).toBe(0);
    } finally {
      await second.stop();
    }
    const [node] = nodes as [RunningNode];
    await pass(node, 3);
  });
});
