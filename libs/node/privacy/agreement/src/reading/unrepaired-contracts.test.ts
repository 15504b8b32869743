import { beforeEach, describe, expect, it } from '@jest/globals';
import { keccakHash, signingKeyOf } from '@tetrad/crypto';
import type { AgreementBlock, DivergedContract, RepairNotice, RepairSummary } from '@tetrad/node-store';
import { parseAddress, parsePtmKey, type Address } from '@tetrad/types';
import { emptyRow } from '../exchange/own-statement.js';
import { listBytes } from '../outcome/outcome-list.js';
import { ownListBytes } from '../outcome/own-list.js';
import type { RepairSubject } from '../repair/repair-request.js';
import { signRepairDone, signRepairStatement } from '../repair/repair-statement.js';
import { stateBytes, type ContractState } from '../signed/contract-state.js';
import { unrepairedContracts } from './unrepaired-contracts.js';

const keyOf = (byte: number) => parsePtmKey(Buffer.alloc(32, byte).toString('base64'));
const hash = (text: string) => keccakHash(Buffer.from(text));
const PAIR = { own: keyOf(1), other: keyOf(2) };
const [ONE, TWO] = ['c1', 'c2'].map((byte) => parseAddress(`0x${byte.repeat(20)}`)) as [Address, Address];
const NODE_KEY = signingKeyOf(Buffer.alloc(32, 7));
const stateOf = (root: string): ContractState => ({
  nonce: 1n,
  balance: 0n,
  storageRoot: hash(root),
  codeHash: hash('code'),
});
const [WRONG, RIGHT] = [stateOf('wrong'), stateOf('right')];
/** The block of the transaction that both have with different results. */
const BLOCK = 10;

/** A row of a block with two transactions, of which the second differs. */
const row: AgreementBlock = {
  ...emptyRow(PAIR, BLOCK, 1_000),
  ownList: ownListBytes([
    { hash: hash('same'), digest: hash('a'), isDisclosed: true },
    { hash: hash('differs'), digest: hash('b'), isDisclosed: true },
  ]),
  otherList: listBytes([
    { hash: hash('same'), digest: hash('a') },
    { hash: hash('differs'), digest: hash('c') },
  ]),
  state: 'diverged',
};
const entered = (contract: Address, transaction: string): DivergedContract => ({
  contract: { ...PAIR, contract, block: BLOCK, transaction: hash(transaction), isShared: false },
  row,
});

let diverged: DivergedContract[];
let here: RepairSummary[];
let told: RepairNotice[];
let own: ContractState;
beforeEach(() => {
  [diverged, here, told, own] = [[entered(ONE, 'differs')], [], [], WRONG];
});

const unrepaired = async () => [
  ...(await unrepairedContracts({
    store: { listDiverged: async () => diverged },
    repairs: { list: async () => here, listNotices: async () => told },
    findState: async () => own,
  })),
];

const subjectAt = (block: number, from: number, contract: Address): RepairSubject => ({
  chainId: 1n,
  genesisHash: hash('genesis'),
  contract,
  from: keyOf(from),
  to: keyOf(3 - from),
  request: hash('request'),
  block,
  blockHash: hash(`block ${block}`),
});

/** That this node took what the other party stated. */
async function repairAt(block: number, contract = ONE): Promise<RepairSummary> {
  const stated = { ...subjectAt(block, 2, contract), state: RIGHT, wholeBytes: 0, wholeHash: hash('') };
  return {
    block,
    contract,
    own: PAIR.own,
    source: PAIR.other,
    request: hash('request'),
    reason: 'left out',
    stateBefore: stateBytes(WRONG),
    stateAfter: stateBytes(RIGHT),
    statements: await signRepairStatement(stated, NODE_KEY),
    untold: [],
    madeAtMs: 2_000,
  };
}

async function noticeAt(block: number, after: ContractState): Promise<RepairNotice> {
  const done = { ...subjectAt(block, 2, ONE), before: WRONG, after };
  return { ...PAIR, contract: ONE, block, notice: await signRepairDone(done, NODE_KEY), heardAtMs: 3_000 };
}

describe('contracts that neither party has repaired', () => {
  it('are those whose newest transaction of both differs', async () => {
    diverged.push(entered(TWO, 'same'));
    expect(await unrepaired()).toEqual([ONE]);
  });

  it('count once, however many parties have them otherwise', async () => {
    const other = keyOf(3);
    diverged.push({
      contract: { ...diverged[0]!.contract, other },
      row: { ...row, other },
    });
    expect(await unrepaired()).toEqual([ONE]);
  });

  it('are not those that this node has repaired since', async () => {
    here.push(await repairAt(BLOCK));
    expect(await unrepaired()).toEqual([]);
  });

  it('are still those that were repaired before, and those of which another one was repaired', async () => {
    here.push(await repairAt(BLOCK - 1), await repairAt(BLOCK + 1, TWO));
    expect(await unrepaired()).toEqual([ONE]);
  });

  it('are not those that the other party has repaired to what this node has', async () => {
    own = RIGHT;
    told.push(await noticeAt(BLOCK + 1, RIGHT));
    expect(await unrepaired()).toEqual([]);
  });

  it('are those that the other party has repaired to something else', async () => {
    own = RIGHT;
    told.push(await noticeAt(BLOCK + 1, stateOf('a third state')));
    expect(await unrepaired()).toEqual([ONE]);
  });
});
