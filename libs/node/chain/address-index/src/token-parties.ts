import { addressFromBytes, hashToBytes, type Address, type Hash, type Log } from '@tetrad/types';

/** keccak-256 of `Transfer(address,address,uint256)`, of ERC-20 and ERC-721. */
const TRANSFER: string = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Of `TransferSingle(address,address,address,uint256,uint256)` and `TransferBatch(…)` of ERC-1155. */
const TRANSFERS_OF_1155: readonly string[] = [
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
];

const PADDING = 12;

/**
 * The accounts between which the log says that a token moved. Any contract may write such a log, so a token need not have
 * moved; a topic that is not an address is ignored.
 */
export function tokenParties({ topics }: Pick<Log, 'topics'>): Address[] {
  const [name = '']: readonly string[] = topics;
  if (name === TRANSFER && (topics.length === 3 || topics.length === 4))
    return addressesIn(topics.slice(1, 3));
  if (TRANSFERS_OF_1155.includes(name) && topics.length === 4) return addressesIn(topics.slice(2, 4));
  return [];
}

function addressesIn(topics: readonly Hash[]): Address[] {
  return topics
    .map(hashToBytes)
    .filter((bytes) => bytes.subarray(0, PADDING).every((byte) => byte === 0))
    .map((bytes) => addressFromBytes(bytes.subarray(PADDING)));
}
