import { defaultGenesis, parseGenesis } from '@tetrad/node-execution';
import { developmentAccounts } from '@tetrad/testkit';
import { parseAddress, type Address } from '@tetrad/types';

export const CHAIN_ID = 1337;
export const [OWNER] = developmentAccounts(1, 'owner') as [{ address: Address; privateKey: Uint8Array }];
/** Contracts of one code: equal storages are the same nodes. */
export const STORERS = ['cc', 'dd'].map((byte) => parseAddress(`0x${byte.repeat(20)}`));
/** Stores the second word of the call data in the slot that the first one names. */
const STORING_CODE = '0x6020356000355500';
const json = defaultGenesis({
  chainId: CHAIN_ID,
  engine: 'qbft',
  blockPeriodMs: 1000,
  extraData: '0x',
  balances: new Map([[OWNER.address, 10n ** 24n]]),
});
export const genesis = parseGenesis({
  ...json,
  config: { ...(json['config'] as object), qbft: undefined, raft: true },
  alloc: {
    ...(json['alloc'] as object),
    ...Object.fromEntries(STORERS.map((storer) => [storer, { balance: '0x0', code: STORING_CODE }])),
  },
});
