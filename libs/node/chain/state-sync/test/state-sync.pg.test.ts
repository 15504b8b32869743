import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccakHash } from '@tetrad/crypto';
import type { Hash, SealedHeader } from '@tetrad/types';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { eventually } from '../../peer/test/eventually.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import { assertJoined, growChain } from './assert-joined.js';
import { useEmptyNetwork } from './grown-chain.js';
import { type Joining, append, startJoining, startPeer, statePortOf } from './joining-chain.js';

const { ledgers, network, genesis } = useEmptyNetwork();

/** Answers after which a run is ended: more than the largest part of a state has. */
const ANSWERS_OF_RUN = 16;

let chain: TestLedger;

async function growNewChain(): Promise<void> {
  chain = await ledgers.open(ledgers.url, { genesis });
  await growChain(chain);
}

const assertJoinedAt = (url: string, number: number) => assertJoined({ ledgers, chain }, url, number);

const start = (peers: readonly FakeNode[], more: Partial<Parameters<typeof startJoining>[2]> = {}) =>
  startJoining({ ledgers, network }, peers, { genesis, ...more });

describe('a node that joins by state', () => {
  beforeEach(growNewChain);

  it('has the state of the block before the newest one, and executes what follows', async () => {
    const joining = await start([await startPeer(network, chain), await startPeer(network, chain)]);
    expect(await joining.run()).toBe(5);
    await assertJoinedAt(joining.url, 5);
  });

  it('names what it does not have of the past, and has its headers', async () => {
    const joining = await start([await startPeer(network, chain)]);
    await joining.run();
    const { ledger } = await ledgers.open(joining.url, { genesis });
    const refused = {
      code: 'BLOCK_NOT_AVAILABLE',
      message: expect.stringContaining(
        'joined by state at block 5 and has transactions, receipts and logs from block 6 on',
      ),
    };
    for (const number of [1, 5]) await expect(ledger.findBlock(number)).rejects.toMatchObject(refused);
    const hash = (await chain.ledger.findHeader(3))?.hash as Hash;
    await expect(ledger.findBlock(hash)).rejects.toMatchObject(refused);
    const filter = { addresses: [], topics: [] };
    await expect(ledger.listLogs({ ...filter, fromBlock: 0, toBlock: 6 }, 10)).rejects.toMatchObject(refused);
    expect(await ledger.listLogs({ ...filter, fromBlock: 6, toBlock: 6 }, 10)).toEqual([]);
    expect((await ledger.listHeaders(1, 5)).map((one) => one.hash)).toEqual(
      (await chain.ledger.listHeaders(1, 5)).map((one) => one.hash),
    );
    expect(await ledger.findBlock(0)).toEqual(await chain.ledger.findBlock(0));
    const [old] = await ledger.listHeaders(4, 4);
    await expect(ledger.worldAt(old as SealedHeader)).rejects.toMatchObject({ code: 'STATE_NOT_AVAILABLE' });
  });

  it('goes on where it ended, however often that is', async () => {
    const honest = statePortOf(chain);
    const killed = new Error('killed');
    let joining: Joining | undefined;
    let [answers, runs] = [0, 0];
    const counted = <Question, Answer>(answer: (question: Question) => Promise<Answer>) => {
      return (question: Question) => {
        answers += 1;
        if (answers % ANSWERS_OF_RUN === 0) joining?.ending.abort(killed);
        return answer(question);
      };
    };
    const peer = await startPeer(network, chain, {
      headers: counted(honest.headers),
      ranges: counted(honest.ranges),
      contents: counted(honest.contents),
    });
    for (let joined: number | undefined; joined === undefined; runs++) {
      joining = await start([peer], joining === undefined ? {} : { url: joining.url });
      joined = await joining.run().catch((error: unknown) => {
        expect(error).toBe(killed);
        return undefined;
      });
    }
    expect(runs).toBeGreaterThan(1);
    await assertJoinedAt((joining as Joining).url, 5);
  });

  it('executes every block where the peers have no past', async () => {
    const first = await ledgers.open(await ledgers.freshUrl(), { genesis });
    await append(first);
    const joining = await start([await startPeer(network, first)]);
    expect(await joining.run()).toBeUndefined();
    const opened = await ledgers.open(joining.url, { genesis });
    expect(opened.ledger.head().header.number).toBe(0);
    expect(await opened.store.stateSync.find()).toBeUndefined();
  });

  it('stops at a checkpoint that is on another chain, and takes one that is on this one', async () => {
    const hash = (await chain.ledger.findHeader(3))?.hash as Hash;
    const peer = await startPeer(network, chain);
    const other = { number: 3, hash: keccakHash(new Uint8Array(1)) };
    const refusing = await start([peer], { checkpoint: other });
    const refused = refusing.run().catch((error: unknown) => error);
    await eventually(() => refusing.log.complaints('not the one of the checkpoint') > 0);
    refusing.ending.abort(new Error('ended'));
    expect(await refused).toEqual(new Error('ended'));
    const ended = new Error('ended');
    const ending = await startPeer(network, chain, {
      ranges: async () => {
        joining.ending.abort(ended);
        return [undefined];
      },
    });
    const joining = await start([ending], { checkpoint: { number: 3, hash } });
    await expect(joining.run()).rejects.toBe(ended);
    const contradicted = await start([peer], { checkpoint: other, url: joining.url });
    await expect(contradicted.run()).rejects.toThrow('--checkpoint: block 3 is');
    const again = await start([peer], { checkpoint: { number: 3, hash }, url: joining.url });
    await again.run();
    await assertJoinedAt(again.url, 5);
  });
});
