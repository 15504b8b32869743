import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccak256 } from '@tetrad/crypto';
import type { StatePort } from '@tetrad/node-peer';
import type { StateRepair } from '@tetrad/node-store';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import { transfer, type TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import type { FakeNode } from '../../peer/test/fake-node.js';
import { TargetLostError } from '../src/target-lost-error.js';
import { assertJoined } from './assert-joined.js';
import { useGrownChain } from './grown-chain.js';
import { DOOMED, STORE, append, startJoining, startPeer, statePortOf } from './joining-chain.js';

let chain: TestLedger;
const { ledgers, network, genesis } = useGrownChain((grown) => (chain = grown));

/** Slots that change from each state to the next, and rows that are changed at once. */
const CHANGED = 40;
const ROWS = 8;
/** Of an account and its slot, where a part begins within its storage. */
const PLACE_BYTES = 64;

/** A repair after which the target is lost or the node killed, in each run of healing. */
const ENDS = [3, 1, 1, 2, 1, 0];

let nonce: number;
beforeEach(() => {
  nonce = 3;
});

const word = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** Sets slots from one on: in each second round back to what they were, or to nothing. */
async function change(round: number, slots = CHANGED): Promise<void> {
  const set = (index: number) => {
    const slot = 100 + (round >> 1) * 7 + index;
    const value = round % 2 === 1 && index % 3 === 0 ? slot + 1 : index % 3 === 1 ? 0 : round + 1_000;
    const data = Buffer.concat([word(slot), word(value)]);
    return transfer(0, nonce++, { to: STORE, data, gas: 100_000n, value: 0n });
  };
  const doomed = round === 1 ? [transfer(1, 3, { to: DOOMED, gas: 100_000n, value: 0n })] : [];
  await append(chain, [...Array.from({ length: slots }, (_, index) => set(index)), ...doomed]);
  for (let blocks = 0; blocks < 2; blocks++) await append(chain);
}

/** A peer that has lost the first state once the large storage was taken from it. */
async function startLosingPeer(): Promise<FakeNode> {
  const honest = statePortOf(chain);
  const place = keccak256(bytesFromHex(STORE));
  const first = (await chain.ledger.findHeader(chain.ledger.head().header.number - 1))?.header.stateRoot;
  let isLost = false;
  const ranges: StatePort['ranges'] = async (question) => {
    const isPast = question.questions.some(
      ({ root, origin }) => hexFromBytes(root) === first && Buffer.compare(origin, place) > 0,
    );
    if (!isPast || isLost) return honest.ranges(question);
    isLost = true;
    await change(0);
    return [undefined];
  };
  return startPeer(network, chain, { ranges });
}

describe('an account with many slots that changed', () => {
  it('is healed in parts, also when the target is lost or the node killed between two of them', async () => {
    const peer = await startLosingPeer();
    const ends = [...ENDS];
    const repairs: StateRepair[] = [];
    let [round, inRun, deaths] = [1, 0, 0];
    const onRepair = async (repair: StateRepair) => {
      repairs.push(repair);
      inRun += 1;
      if (inRun <= (ends[0] ?? Infinity)) return;
      [inRun] = [0, ends.shift()];
      await change(round++);
      if (round % 2 === 0) throw new TargetLostError('gone');
      throw new Error('killed');
    };
    const url = await ledgers.freshUrl();
    const run = async (): Promise<number | undefined> => {
      const options = { genesis, url, healedRows: ROWS, onRepair };
      const joining = await startJoining({ ledgers, network }, [peer], options);
      return joining.run().catch((error: unknown) => {
        deaths += error instanceof Error && error.message === 'killed' ? 1 : Infinity;
        return run();
      });
    };
    const joined = await run();
    expect([ends, deaths]).toEqual([[], ENDS.length / 2]);
    for (const { cleared, removed, flat } of repairs)
      expect(cleared.length + removed.length + flat.length).toBeLessThanOrEqual(ROWS);
    expect(repairs.some(({ from }) => from.length === PLACE_BYTES)).toBe(true);
    await assertJoined({ ledgers, chain }, url, joined as number);
  });
});
