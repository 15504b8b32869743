import { describe, expect, it, jest } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { keccakHash } from '@tetrad/crypto';
import { TransactionDecodeError, decodeTransaction } from '@tetrad/node-execution';
import { EMPTY_LIST, rlpBytes, rlpList, rlpScalar } from '@tetrad/rlp';
import { signTransaction, type TransactionFees } from '@tetrad/transactions';
import { ZERO_ADDRESS, ZERO_HASH, type Block, type BlockHeader, type SignedTransaction } from '@tetrad/types';
import fc from 'fast-check';
import { blockSize, decodeBlock, encodeBlock, prepareBlock } from './block-rlp.js';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT } from './empty-roots.js';
import { encodeHeader, InvalidBlockError } from './header-rlp.js';

const CHAIN_ID = 1337n;
const hashHeader = (header: BlockHeader) => keccakHash(encodeHeader(header));
const decoding = { hashHeader, decode: (raw: Uint8Array) => decodeTransaction(raw, CHAIN_ID) };
const isFaultOfBlock = (error: unknown) =>
  error instanceof InvalidBlockError || error instanceof TransactionDecodeError;
const PRIVATE_KEY = new Uint8Array(32).fill(3);

function transaction(nonce: bigint, fees: TransactionFees, dataBytes = 0): SignedTransaction {
  const data = new Uint8Array(dataBytes).fill(1);
  const unsigned = { chainId: CHAIN_ID, nonce, gasLimit: 90_000n, to: ZERO_ADDRESS, value: 1n, data, fees };
  return decodeTransaction(signTransaction(unsigned, PRIVATE_KEY), CHAIN_ID);
}

function block(transactions: readonly SignedTransaction[], withdrawals: boolean): Block {
  const header = {
    parentHash: ZERO_HASH,
    ommersHash: EMPTY_OMMERS_HASH,
    beneficiary: ZERO_ADDRESS,
    stateRoot: EMPTY_ROOT,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    number: 7,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 1_700_000_000n,
    extraData: new Uint8Array(40),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
    ...(withdrawals ? { baseFeePerGas: 0n, withdrawalsRoot: EMPTY_ROOT } : {}),
  };
  return { hash: hashHeader(header), header, transactions };
}

const mixed = [
  transaction(0n, { type: 'legacy', gasPrice: 0n }),
  transaction(1n, { type: 'accessList', gasPrice: 1n, accessList: [] }, 60),
  transaction(2n, { type: 'dynamicFee', maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, accessList: [] }, 70_000),
];

describe.each([
  ['before Shanghai', false],
  ['from Shanghai on', true],
])('an encoded block %s', (_, withdrawals) => {
  it.each([
    ['nothing', []],
    ['every type of transaction', mixed],
  ])('with %s is read back, senders and hash included', async (_content, transactions) => {
    const one = block(transactions, withdrawals);
    const encoded = encodeBlock(one);
    const copy = await decodeBlock(encoded, decoding);
    expect(copy.hash).toBe(one.hash);
    expect(copy.transactions.map(({ hash, sender }) => [hash, sender])).toEqual(
      one.transactions.map(({ hash, sender }) => [hash, sender]),
    );
    expect(Buffer.compare(encodeBlock(copy), encoded)).toBe(0);
    expect(blockSize(one)).toBe(encoded.length);
    const make = await prepareBlock(
      encoded,
      one,
      async (raws) => () => raws.map((raw) => decoding.decode(raw)),
    );
    expect(make()).toEqual(copy);
  });
});

it('reads no transactions of a block behind those that are refused', async () => {
  const many = rlpList([
    encodeHeader(block([], false).header),
    rlpList(new Array(5_000).fill(EMPTY_LIST)),
    EMPTY_LIST,
  ]);
  const asked: number[] = [];
  const preparing = prepareBlock(many, block([], false), async (raws) => {
    asked.push(raws.length);
    throw new TransactionDecodeError('MALFORMED_TRANSACTION', 'nonce: missing');
  });
  await expect(preparing).rejects.toThrow('nonce: missing');
  expect(asked).toEqual([2_048]);
});

describe('bytes that are not a block', () => {
  const [header, transactions] = RLP.decode(encodeBlock(block([], true))) as [Uint8Array[], Uint8Array[]];

  it.each([
    ['noise', Uint8Array.of(0xc3, 1)],
    ['a string', RLP.encode('block')],
    ['a header alone', RLP.encode(header)],
    ['too few parts', RLP.encode([header, transactions])],
    ['an ommer', RLP.encode([header, transactions, [header], []])],
    ['a withdrawal', RLP.encode([header, transactions, [], [[Uint8Array.of(1)]]])],
    ['no list of withdrawals although the header has their root', RLP.encode([header, transactions, []])],
    ['one part too many', RLP.encode([header, transactions, [], [], []])],
    ['a legacy transaction in a string', RLP.encode([header, [mixed[0]?.raw ?? []], [], []])],
    ['an empty transaction', RLP.encode([header, [new Uint8Array(0)], [], []])],
  ])('is refused: %s', async (_, bytes) => {
    await expect(decodeBlock(bytes, decoding)).rejects.toThrow(InvalidBlockError);
  });
});

describe('a block of a hostile peer', () => {
  const header = encodeHeader(block([], true).header);
  const MEGABYTE = 1024 * 1024;

  /** Lists in lists, many more than a stack has room for. */
  function brackets(): Uint8Array {
    const bytes = new Uint8Array(MEGABYTE);
    for (let offset = 0; offset < MEGABYTE / 2; offset += 4) {
      const length = MEGABYTE - offset - 4;
      bytes.set([0xfa, length >> 16, (length >> 8) & 0xff, length & 0xff], offset);
    }
    return bytes;
  }

  /** Bytes that readers copy, up to so many: one that copies a list at each level would need gigabytes. */
  async function copiedBy(work: () => Promise<unknown>, most: number): Promise<number> {
    const original = Uint8Array.prototype.slice;
    let copied = 0;
    const spy = jest.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (
      this: Uint8Array,
      ...at
    ) {
      copied += this.length;
      if (copied > most) throw new RangeError('too much is copied');
      return original.apply(this, at);
    });
    await work().finally(() => spy.mockRestore());
    return copied;
  }

  it.each([
    ['as the block', () => brackets()],
    ['as the header', () => rlpList([brackets(), EMPTY_LIST, EMPTY_LIST, EMPTY_LIST])],
    ['in the header', () => rlpList([rlpList([brackets()]), EMPTY_LIST, EMPTY_LIST, EMPTY_LIST])],
    ['as a transaction', () => rlpList([header, rlpList([brackets()]), EMPTY_LIST, EMPTY_LIST])],
    [
      'as the access list of a transaction',
      () => {
        const fields = [...new Array<Uint8Array>(8).fill(Uint8Array.of(0x80)), brackets()];
        const envelope = rlpList([rlpScalar(CHAIN_ID), ...fields.slice(1), ...fields.slice(0, 3)]);
        const raw = rlpBytes(Buffer.concat([Uint8Array.of(2), envelope]));
        return rlpList([header, rlpList([raw]), EMPTY_LIST, EMPTY_LIST]);
      },
    ],
    ['as the ommers', () => rlpList([header, EMPTY_LIST, brackets(), EMPTY_LIST])],
  ])('is refused without decoding nested lists %s', async (_, make) => {
    const bytes = Uint8Array.from(make());
    const read = async () =>
      expect(isFaultOfBlock(await decodeBlock(bytes, decoding).catch((reason: unknown) => reason))).toBe(
        true,
      );
    expect(await copiedBy(read, 8 * bytes.length)).toBeLessThanOrEqual(8 * bytes.length);
  });

  it('keeps no view of the received bytes', async () => {
    const copies = await decodeBlock(encodeBlock(block(mixed, true)), decoding);
    const kept = copies.transactions.flatMap(({ raw, data }) => [raw, data]);
    for (const { buffer } of [...kept, copies.header.extraData, copies.header.logsBloom])
      expect(buffer.byteLength).toBeLessThan(72_000);
    expect(copies.transactions[0]?.raw.buffer.byteLength).toBe(mixed[0]?.raw.length);
  });

  it('never makes the decoder fail in any other way', async () => {
    const encoded = encodeBlock(block(mixed.slice(0, 2), true));
    const edits = fc.array(fc.tuple(fc.nat(encoded.length - 1), fc.nat(255)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(edits, fc.nat(encoded.length), async (changes, end) => {
        const bytes = Uint8Array.from(encoded);
        for (const [position, value] of changes) bytes[position] = value;
        const outcome = await decodeBlock(bytes.subarray(0, end), decoding).catch(
          (reason: unknown) => reason,
        );
        if (outcome instanceof Error) expect(isFaultOfBlock(outcome)).toBe(true);
        else expect(Buffer.compare(encodeBlock(outcome as Block), bytes.subarray(0, end))).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
