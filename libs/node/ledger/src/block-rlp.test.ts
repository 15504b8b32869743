import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import { EMPTY_OMMERS_HASH, EMPTY_ROOT, ISTANBUL_MIX_HASH, bftRules } from '@tetrad/node-consensus-bft';
import { decodeTransaction, signTransaction, type TransactionFees } from '@tetrad/node-execution';
import { ZERO_ADDRESS, ZERO_HASH, type Block, type SignedTransaction } from '@tetrad/types';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { blockSize, decodeBlock, encodeBlock } from './block-rlp.js';
import { InvalidBlockError } from './invalid-block-error.js';

const CHAIN_ID = 1337n;
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
    timestamp: 1_700_000_000,
    extraData: bftRules('qbft').genesisExtraData([ZERO_ADDRESS]),
    mixHash: ISTANBUL_MIX_HASH,
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
  ])('with %s is read back, senders and hash included', (_content, transactions) => {
    const one = block(transactions, withdrawals);
    const encoded = encodeBlock(one);
    const copy = decodeBlock(encoded, CHAIN_ID);
    expect(copy.hash).toBe(one.hash);
    expect(copy.transactions.map(({ hash, sender }) => [hash, sender])).toEqual(
      one.transactions.map(({ hash, sender }) => [hash, sender]),
    );
    expect(Buffer.compare(encodeBlock(copy), encoded)).toBe(0);
    expect(blockSize(one)).toBe(encoded.length);
  });
});

describe('what is no block', () => {
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
  ])('is refused: %s', (_, bytes) => {
    expect(() => decodeBlock(bytes, CHAIN_ID)).toThrow(InvalidBlockError);
  });
});
