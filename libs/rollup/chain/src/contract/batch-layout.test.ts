import { beforeAll, describe, expect, it } from '@jest/globals';
import { operationHeader } from '@tetrad/rollup-circuits';
import { bytesFromHex, parseAddress, type Hex } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { ChainRpcError, ChainUnavailableError } from '../ethereum-client.js';
import { ArtifactError } from './artifact-error.js';
import { FIRST_LAYOUT, hasConsents, readBatchLayout } from './batch-layout.js';
import type { PublishedBatch } from './published-batch.js';
import { RollupCodec } from './rollup-contract.js';

const CONTRACT = parseAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3');
const RECIPIENT = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const EMPTY = { toAddress: 0n, leaf: 0n, order: 0n };
const BATCH: PublishedBatch = {
  nextStateRoot: 1n,
  ordersRoot: 2n,
  ciphertextCommitment: 3n,
  headers: [
    operationHeader({ kind: 'outboundTransfer', accountId: 7, tokenId: 1, amount: 5n, ...EMPTY }),
    operationHeader({ kind: 'createMoneyOrder', accountId: 8, tokenId: 0, amount: 0n, ...EMPTY }),
  ],
  recipients: [RECIPIENT, parseAddress(`0x${'00'.repeat(20)}`)],
  leaves: [11n, 12n],
  orders: [0n, 13n],
  ciphertexts: Array.from({ length: 30 }, (_, index) => (index > 14 && index < 28 ? 9n : 0n)),
};

describe('the layout of batches', () => {
  let codec: RollupCodec;
  beforeAll(async () => {
    codec = new RollupCodec();
  });

  // Of the contract that version 0.1.0 deployed.
  it('of 0.1.0 has the topic and the selector that it had', () => {
    expect(codec.batchTopicOf(1)).toBe('0x0c57da5c1f3f1336a4af1f96d78b31918c23f58e598cb6ca652a2d9aa84b578b');
    expect(codec.encodeSubmitBatch(BATCH, new Uint8Array(), 1).slice(0, 10)).toBe('0x386b48e4');
    expect(codec.batchTopic).not.toBe(codec.batchTopicOf(1));
  });

  it('says whether accounts have consents', () => {
    expect(([1, 2, 3] as const).map(hasConsents)).toEqual([false, false, true]);
  });

  it('does not matter to who reads events', () => {
    const values = [4n, 1n, RECIPIENT];
    const first = FIRST_LAYOUT.encodeEventLog('TransactionBatchAccepted', [...values, BATCH]);
    const call = codec.encodeSubmitBatch(BATCH, new Uint8Array());
    const [written] = codec.abi.decodeFunctionData('submitBatch', call);
    const second = codec.abi.encodeEventLog('TransactionBatchAccepted', [...values, written]);
    const expected = { kind: 'batch', height: 4, submitter: RECIPIENT, ...BATCH };
    expect(codec.parseLog(first)).toEqual(expected);
    expect(codec.parseLog(second)).toEqual(expected);
    expect(second.data.length).toBeLessThan(first.data.length * 0.6);
  });

  it('is asked of the contract', async () => {
    const answers = (answer: Hex | Error) => ({
      call: async () => {
        if (typeof answer !== 'string') throw answer;
        return bytesFromHex(answer);
      },
    });
    const word = (value: number) => AbiCoder.defaultAbiCoder().encode(['uint256'], [value]) as Hex;
    for (const layout of [2, 3]) expect(await readBatchLayout(answers(word(layout)), CONTRACT)).toBe(layout);
    expect(await readBatchLayout(answers(new ChainRpcError('execution reverted', 3)), CONTRACT)).toBe(1);
    expect(await readBatchLayout(answers('0x'), CONTRACT)).toBe(1);
    for (const layout of [0, 1, 4])
      await expect(readBatchLayout(answers(word(layout)), CONTRACT)).rejects.toThrow(ArtifactError);
    // What says nothing of the contract must not make it one of an earlier version.
    for (const error of [
      new ChainUnavailableError('gone'),
      new ChainRpcError('too many calls', -32005),
      new ChainRpcError('execution reverted', 3, Uint8Array.of(8)),
    ])
      await expect(readBatchLayout(answers(error), CONTRACT)).rejects.toBe(error);
  });
});
