import { expect, it } from '@jest/globals';
import { parseAddress, type Address } from '@tetrad/types';
import { StoredMetadata } from './stored-metadata.js';

const address = (index: number) => parseAddress(`0x${index.toString(16).padStart(40, '0')}`);
const [ONE, TWO] = [address(1), address(2)] as const;

/** A store in which contract 1 has flag 3. */
class Store {
  readonly reads: Address[][] = [];
  failure: Error | undefined;

  async findContracts(addresses: readonly Address[], _blockNumber: number) {
    this.reads.push([...addresses]);
    if (this.failure !== undefined) throw this.failure;
    return addresses.flatMap((one) =>
      one === ONE ? [{ address: one, creation: new Uint8Array(64).fill(7), privacyFlag: 3 }] : [],
    );
  }
}

it('reads each contract once, with metadata or without, also when several ask at the same time', async () => {
  const store = new Store();
  const metadata = new StoredMetadata(store, 5);
  const [first, second] = await Promise.all([metadata.find([ONE, TWO]), metadata.find([TWO, ONE])]);
  expect(first).toEqual(second);
  expect([...first]).toEqual([[ONE, { creation: `0x${'07'.repeat(64)}`, privacyFlag: 3 }]]);
  expect(await metadata.find([TWO])).toEqual(new Map());
  expect(store.reads).toEqual([[ONE, TWO]]);
});

it('reads again after a failure', async () => {
  const store = new Store();
  const metadata = new StoredMetadata(store, 5);
  store.failure = new Error('no connection');
  await expect(metadata.find([ONE])).rejects.toThrow('no connection');
  store.failure = undefined;
  expect((await metadata.find([ONE])).size).toBe(1);
});

it('remembers a bounded number of contracts, and reads the rest each time', async () => {
  const store = new Store();
  const metadata = new StoredMetadata(store, 5);
  const many = Array.from({ length: 5_000 }, (_, index) => address(index + 1));
  expect((await metadata.find(many)).size).toBe(1);
  expect((await metadata.find(many)).size).toBe(1);
  expect(store.reads.map((read) => read.length)).toEqual([5_000, 904]);
});
