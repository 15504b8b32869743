import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccakHash } from '@tetrad/crypto';
import { decodeHeader, encodeHeader } from '@tetrad/node-block';
import type { StatePort } from '@tetrad/node-peer';
import type { Hash } from '@tetrad/types';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { TestLedgers } from '../../consensus-bft-chain/test/test-ledgers.js';
import { eventually } from '../../peer/test/eventually.js';
import { FakeNetwork, type FakeNode } from '../../peer/test/fake-node.js';
import { assertJoined } from './assert-joined.js';
import { A, B, C, D, append, largeGenesis, startJoining, startPeer, statePortOf } from './joining-chain.js';

const CHECKPOINT = 4;

const ledgers = new TestLedgers();
const network = new FakeNetwork();
const genesis = largeGenesis();
let chain: TestLedger;
beforeEach(async () => {
  await ledgers.begin();
  chain = await ledgers.open(ledgers.url, { genesis });
  const vote = { vote: { recipient: addressFromPrivateKey(D), isAdd: false } };
  for (const key of [A, B, C]) await append(chain, [], { proposerKey: key, ...vote });
  for (let blocks = 0; blocks < 4; blocks++) await append(chain);
});
afterEach(async () => {
  await network.stop();
  await ledgers.end();
});

const hashAt = async (number: number) => (await chain.ledger.findHeader(number))?.hash as Hash;

async function start(peers: readonly FakeNode[], isTrusted: boolean, number = CHECKPOINT) {
  const checkpoint = { number, hash: await hashAt(number) };
  return startJoining({ ledgers, network }, peers, { genesis, checkpoint, trustsCheckpoint: isTrusted });
}

/** Headers up to the number without any seals. */
const bareUpTo =
  (number: number): StatePort['headers'] =>
  async (question) =>
    (await statePortOf(chain).headers(question)).map((raw) => {
      const header = decodeHeader(raw);
      return header.number > number ? raw : encodeHeader(chain.rules.withoutSeals(header));
    });

describe('a node that joins with a checkpoint', () => {
  it('verifies the headers before it', async () => {
    const attacker = await startPeer(network, chain, { headers: bareUpTo(2) });
    const joining = await start([attacker, await startPeer(network, chain)], false);
    expect(await joining.run()).toBe(6);
    expect(joining.log.complaints('zero committed seals')).toBe(1);
    await assertJoined({ ledgers, chain }, joining.url, 6);
  });

  it('takes those that lead to it without their seals when it is trusted, with the votes in them', async () => {
    const joining = await start([await startPeer(network, chain, { headers: bareUpTo(CHECKPOINT) })], true);
    expect(await joining.run()).toBe(6);
    await assertJoined({ ledgers, chain }, joining.url, 6);
    const joined = await ledgers.open(joining.url, { genesis });
    const sealed = (await joined.ledger.listHeaders(1, 6)).map(({ header }) => joined.rules.isSealed(header));
    expect(sealed).toEqual([false, false, false, false, true, true]);
    const hashes = (await joined.ledger.listHeaders(1, 6)).map(({ hash }) => hash);
    expect(hashes).toEqual((await chain.ledger.listHeaders(1, 6)).map(({ hash }) => hash));
  });

  it('verifies the headers after it when it is trusted', async () => {
    const attacker = await startPeer(network, chain, { headers: bareUpTo(CHECKPOINT + 1) });
    const joining = await start([attacker, await startPeer(network, chain)], true);
    expect(await joining.run()).toBe(6);
    expect(joining.log.complaints('zero committed seals')).toBe(1);
    await assertJoined({ ledgers, chain }, joining.url, 6);
  });

  it('refuses another chain below it when it is trusted', async () => {
    const fork = await ledgers.open(await ledgers.freshUrl(), { genesis });
    for (let blocks = 0; blocks < 7; blocks++) await append(fork);
    const joining = await start([await startPeer(network, fork), await startPeer(network, chain)], true);
    expect(await joining.run()).toBe(6);
    expect(joining.log.complaints(`header ${CHECKPOINT} is not the one that the checkpoint leads to`)).toBe(
      1,
    );
    await assertJoined({ ledgers, chain }, joining.url, 6);
  });

  it('takes nothing where no peer has a trusted one', async () => {
    const checkpoint = { number: CHECKPOINT, hash: keccakHash(new Uint8Array(1)) };
    const joining = await startJoining({ ledgers, network }, [await startPeer(network, chain)], {
      genesis,
      checkpoint,
      trustsCheckpoint: true,
    });
    const ended = joining.run().catch((error: unknown) => error);
    await eventually(() => joining.log.complaints('that the checkpoint leads to') > 0);
    joining.ending.abort(new Error('ended'));
    expect(await ended).toEqual(new Error('ended'));
    const opened = await ledgers.open(joining.url, { genesis });
    expect(await opened.store.stateSync.findNewestHeader()).toBe(0);
  });
});
