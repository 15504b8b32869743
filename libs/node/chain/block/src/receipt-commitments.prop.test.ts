import { describe, expect, it } from '@jest/globals';
import { Bloom, encodeReceipt as encodeReceiptElsewhere, type TxReceipt } from '@ethereumjs/vm';
import {
  addressFromBytes,
  addressToBytes,
  hashFromBytes,
  hashToBytes,
  type Log,
  type Receipt,
} from '@tetrad/types';
import fc from 'fast-check';
import { logsBloom, mergeBlooms } from './bloom.js';
import { encodeReceipt } from './receipt-rlp.js';

/** Another implementation of the same rules is the check: the one in `@ethereumjs/vm`. */

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const log: fc.Arbitrary<Log> = fc.record({
  address: bytes(20).map(addressFromBytes),
  topics: fc.array(bytes(32).map(hashFromBytes), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 80 }),
});
const logs = fc.array(log, { maxLength: 6 });

const TYPES = [
  ['legacy', 0],
  ['accessList', 1],
  ['dynamicFee', 2],
] as const;
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

function bloomElsewhere(of: readonly Log[]): Uint8Array {
  const bloom = new Bloom();
  for (const { address, topics } of of) {
    bloom.add(addressToBytes(address));
    for (const topic of topics) bloom.add(hashToBytes(topic));
  }
  return bloom.bitvector;
}

describe('the bloom filter of logs', () => {
  it('has the bits that another implementation sets, alone and merged', () => {
    fc.assert(
      fc.property(logs, logs, (first, second) => {
        expect(hex(logsBloom(first))).toBe(hex(bloomElsewhere(first)));
        const merged = mergeBlooms([logsBloom(first), logsBloom(second)]);
        expect(hex(merged)).toBe(hex(bloomElsewhere([...first, ...second])));
      }),
    );
  });
});

describe('an encoded receipt', () => {
  it('equals that of another implementation, for every type of transaction and in the form before Byzantium', () => {
    const gas = fc.bigInt({ min: 1n, max: 2n ** 63n });
    fc.assert(
      fc.property(
        fc.constantFrom(...TYPES),
        fc.boolean(),
        fc.option(bytes(32)),
        gas,
        logs,
        ([type, number], succeeded, root, cumulativeGasUsed, own) => {
          const receipt: Receipt = {
            type,
            status: succeeded ? 1 : 0,
            ...(root === null ? {} : { stateRoot: hashFromBytes(root) }),
            gasUsed: cumulativeGasUsed,
            cumulativeGasUsed,
            logsBloom: logsBloom(own),
            logs: own,
          };
          const theirs = {
            // Before Byzantium, the state root in place of the status.
            ...(root === null ? { status: receipt.status } : { stateRoot: root }),
            cumulativeBlockGasUsed: cumulativeGasUsed,
            bitvector: receipt.logsBloom,
            logs: own.map(({ address, topics, data }) => [
              addressToBytes(address),
              topics.map(hashToBytes),
              data,
            ]),
          } as unknown as TxReceipt;
          expect(hex(encodeReceipt(receipt))).toBe(hex(encodeReceiptElsewhere(theirs, number)));
        },
      ),
    );
  });
});
