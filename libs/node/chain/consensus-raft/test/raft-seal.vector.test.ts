import { describe, expect, it } from '@jest/globals';
import { addressFromPublicKey, signDigest } from '@tetrad/crypto';
import { InvalidBlockError, encodeBlock } from '@tetrad/node-block';
import {
  ZERO_ADDRESS,
  ZERO_HASH,
  bytesFromHex,
  hashFromBytes,
  hexFromBytes,
  type BlockHeader,
} from '@tetrad/types';
import { decodeRaftExtraData, raftSealDigest, recoverMinter, sealHeader } from '../src/index.js';
import { recordedBlocks, recordedGenesis } from './recorded-chain.js';

const NODE_IDS = new Map([
  [
    2,
    '35a5bcb64c3dd14da99a5a7843ef26dae08c233fc00b8c6dc18c509f48b2ea18dae53de4722443f0e4f56f92fbde9264634bff0823b3c4c73730baf1ad110797',
  ],
  [
    3,
    '8609e1b1a3b81ffe86b1466b0830eaed090210834e817082f5bf660cab3e40d2c9f77049d27cce00b2754dae94d425a6eec21a479df163d960a205e889532c2b',
  ],
]);

const header: BlockHeader = {
  parentHash: hashFromBytes(new Uint8Array(32).fill(0x11)),
  ommersHash: ZERO_HASH,
  beneficiary: ZERO_ADDRESS,
  stateRoot: hashFromBytes(new Uint8Array(32).fill(0x22)),
  transactionsRoot: ZERO_HASH,
  receiptsRoot: ZERO_HASH,
  logsBloom: new Uint8Array(256),
  difficulty: 131_072n,
  number: 1,
  gasLimit: 0xf7b760n,
  gasUsed: 0n,
  timestamp: 1_600_000_000_000_000_000n,
  extraData: new Uint8Array(0),
  mixHash: ZERO_HASH,
  nonce: new Uint8Array(8),
};
const privateKey = new Uint8Array(32);
privateKey[31] = 1;

const signature = signDigest(raftSealDigest(header), privateKey);
const sealOf = (raftId: number) =>
  hexFromBytes(sealHeader(header, { raftId, signature }).extraData.subarray(32));
const SIGNATURE =
  'b841' +
  '5008e9ba5181b4a00764672873a1976bb86c1671f9cc5ecddffeadf19706386567d5245fdfb3e68d0bbb37f5e2d7808a07be32d26d4367519ed91762b91c2abe01';

describe('the seal of a minter', () => {
  it('is made over the header without the fields of the content', () => {
    expect(hexFromBytes(raftSealDigest(header))).toBe(
      '0x741de4fafce579b80c7ee42784ebbaa56ffad02f5c35b5a8b6a75320ed2d4b35',
    );
  });

  it('names the raft id in hex digits', () => {
    expect(sealOf(1)).toBe(`0xf84431${SIGNATURE}`);
    expect(sealOf(10)).toBe(`0xf84461${SIGNATURE}`);
    const { extraData } = sealHeader(header, { raftId: 0xffff, signature });
    expect(decodeRaftExtraData(extraData).raftId).toBe(0xffff);
  });

  it.each([
    ['extraData: no seal', ''],
    ['extraData: raft id: expected lower-case hex digits', `f846823031${SIGNATURE}`],
    ['extraData: raft id: expected lower-case hex digits', `f84441${SIGNATURE}`],
    ['extraData: invalid signature', `f84431${SIGNATURE.slice(0, -2)}02`],
    ['extraData: seal: trailing bytes', `f84431${SIGNATURE}00`],
    ['extraData: seal: signature: not 65 bytes', `f8453131${SIGNATURE}`],
    ['extraData: seal: too many fields', `f84531${SIGNATURE}31`],
  ])('is refused with %s', (text, seal) => {
    const extraData = bytesFromHex(`0x${'00'.repeat(32)}${seal}`);
    const read = () => recoverMinter({ ...header, extraData });
    expect(read).toThrow(InvalidBlockError);
    expect(read).toThrow(text);
  });
});

describe('a chain that GoQuorum recorded in raft mode', () => {
  it('began with a raft genesis file', () => {
    expect(recordedGenesis().consensus.engine).toBe('raft');
  });

  it('is read, and written as it was', async () => {
    const blocks = await recordedBlocks();
    expect(blocks).toHaveLength(116);
    for (const { encoded, block } of blocks)
      expect(hexFromBytes(encodeBlock(block))).toBe(hexFromBytes(encoded));
    for (const [index, { block }] of blocks.entries())
      if (index > 0) expect(block.header.parentHash).toBe(blocks[index - 1]?.block.hash);
  });

  it('was sealed by the nodes with the raft ids of its headers, first 3 and then 2', async () => {
    const ids: number[] = [];
    for (const { block } of (await recordedBlocks()).slice(1)) {
      const { raftId } = decodeRaftExtraData(block.header.extraData);
      const nodeId = NODE_IDS.get(raftId);
      if (nodeId === undefined) throw new Error(`no node has the raft id ${raftId}`);
      expect(recoverMinter(block.header)).toBe(addressFromPublicKey(bytesFromHex(`0x${nodeId}`)));
      if (ids.at(-1) !== raftId) ids.push(raftId);
    }
    expect(ids).toEqual([3, 2]);
  });

  it('has the minimum difficulty, increasing times and a transaction in every block', async () => {
    const blocks = (await recordedBlocks()).map(({ block }) => block);
    for (const [index, { header: one, transactions }] of blocks.entries()) {
      const parent = blocks[index - 1];
      if (parent === undefined) continue;
      expect(one.difficulty).toBe(131_072n);
      expect(one.timestamp).toBeGreaterThan(parent.header.timestamp);
      expect(transactions.length).toBeGreaterThan(0);
    }
  });
});
