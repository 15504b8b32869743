import { parseAddress, parseHash, type Address, type Block, type MinedReceipt } from '@tetrad/types';
import type { Place } from '../src/index.js';

/** A chain of transfers of wei, in memory, as far as the index reads it. */
export interface TransferChain {
  readonly accounts: readonly Address[];
  readonly ledger: {
    head(): Block;
    findBlock(number: number): Promise<Block | undefined>;
    listReceipts(block: Block): Promise<readonly MinedReceipt[]>;
    onBlock(): () => void;
    readonly blockHorizon: { isHeaderOnly(number: number): boolean };
  };
  readonly receipts: { hasPrivateWork(): boolean; isMarker(mined: MinedReceipt): boolean };
  readonly privacy: object;
  /** Where transfers to the last account are, which are taken for markers. */
  readonly markers: readonly Place[];
  /** Where the account sent or received something, in the order of the chain. */
  placesOf(address: Address): Place[];
  sentBy(address: Address): Place[];
}

/** Makes blocks with up to five transfers each, or as many as `ofBlock` says. */
export function transferChain({
  blocks,
  accounts: count,
  random,
  salt = 0,
  ofBlock,
}: {
  readonly blocks: number;
  readonly accounts: number;
  readonly random: () => number;
  readonly salt?: number;
  readonly ofBlock?: number;
}): TransferChain {
  const word = (value: number, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`;
  const accounts = Array.from({ length: count }, (_, index) => parseAddress(word(index + 0xa0, 40)));
  const pick = () => accounts[Math.floor(random() * count)] as Address;
  const receipts: MinedReceipt[][] = [];
  for (let blockNumber = 0; blockNumber <= blocks; blockNumber++) {
    const length = blockNumber === 0 ? 0 : (ofBlock ?? Math.floor(random() * 6));
    receipts.push(Array.from({ length }, () => transfer(pick(), pick())));
  }
  const blockAt = (number: number) =>
    ({
      hash: parseHash(word(number * 256 + salt, 64)),
      header: { number },
      transactions: [],
    }) as unknown as Block;
  const places = (matches: (mined: MinedReceipt) => boolean) =>
    receipts.flatMap((mined, blockNumber) =>
      mined.flatMap((one, index) => (matches(one) ? [{ blockNumber, index }] : [])),
    );
  return {
    accounts,
    ledger: {
      head: () => blockAt(blocks),
      findBlock: async (number) => (number > blocks ? undefined : blockAt(number)),
      listReceipts: async ({ header }) => receipts[header.number] ?? [],
      onBlock: () => () => undefined,
      blockHorizon: { isHeaderOnly: () => false },
    },
    receipts: { hasPrivateWork: () => false, isMarker: ({ transaction: { to } }) => to === accounts.at(-1) },
    privacy: {},
    markers: places(({ transaction: { to } }) => to === accounts.at(-1)),
    placesOf: (address) => places(({ transaction: { sender, to } }) => sender === address || to === address),
    sentBy: (address) => places(({ transaction: { sender } }) => sender === address),
  };
}

function transfer(sender: Address, to: Address): MinedReceipt {
  return {
    transaction: { sender, to, data: new Uint8Array(0), type: 'legacy', v: 27n },
    receipt: { gasUsed: 21_000n, logs: [], status: 1 },
  } as unknown as MinedReceipt;
}
