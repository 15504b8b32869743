/** Values that the examples share. They are valid by form and name nothing real. */

export const OPERATION_HASH = `0x${'0a'.repeat(32)}`;
export const STATE_ROOT = `0x${'1b'.repeat(32)}`;
export const BLOCK_HASH = `0x${'b1'.repeat(32)}`;
export const SIBLING = `0x${'2c'.repeat(32)}`;
export const PUBLIC_KEY = `0x${'11'.repeat(64)}`;
export const JOINT_KEY = `0x${'12'.repeat(128)}`;
export const BLINDING = `0x${'13'.repeat(32)}`;
export const RANDOMIZATION = `0x${'14'.repeat(32)}`;
export const SIGNATURE = `0x${'15'.repeat(96)}`;
export const CIPHERTEXT = `0x${'16'.repeat(104)}`;
export const ETHEREUM_ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
/** Order 3 of batch 7. */
export const TOTAL_INDEX = 7 * 2 ** 16 + 3;

export const MONEY_ORDER = {
  fromAccountId: 4,
  toAccountId: 9,
  tokenId: 1,
  amount: 2500,
  blindingFactor: BLINDING,
};

export const PENDING = {
  moneyOrder: MONEY_ORDER,
  moneyOrderTotalIndex: null,
  nonce: 1,
  status: 'PENDING',
  rejectionReason: null,
  operationHash: OPERATION_HASH,
  batchHeight: null,
};

export const EXECUTED = {
  moneyOrder: MONEY_ORDER,
  moneyOrderTotalIndex: TOTAL_INDEX,
  nonce: 1,
  status: 'EXECUTED',
  rejectionReason: null,
  operationHash: OPERATION_HASH,
  batchHeight: 7,
};

export const INCLUSION = { batchStateRootHash: STATE_ROOT, blockNumber: 1024, blockHash: BLOCK_HASH };

export const OUTBOUND = {
  fromAccountId: 4,
  toEthereumAddress: ETHEREUM_ADDRESS,
  tokenId: 1,
  amount: 2500,
  nonce: 2,
  status: 'REJECTED',
  rejectionReason: 'BALANCE_TOO_LOW',
  operationHash: OPERATION_HASH,
  batchHeight: null,
};
