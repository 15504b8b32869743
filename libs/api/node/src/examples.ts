/** Values that the examples of the definitions share. They are valid by form and name nothing real. */

export const ACCOUNT = '0xed9d02e382b34818e88b88a309c7fe71e65f419d';
export const RECIPIENT = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
export const CONTRACT = '0x1932c48b2bf8102ba33b4a6b545c32236e342f34';
export const TRANSACTION_HASH = `0x${'6d'.repeat(32)}`;
export const BLOCK_HASH = `0x${'b1'.repeat(32)}`;
const PARENT_HASH = `0x${'b0'.repeat(32)}`;
export const STATE_ROOT = `0x${'5a'.repeat(32)}`;
export const TOPIC = `0x${'70'.repeat(32)}`;
export const EMPTY_BLOOM = `0x${'00'.repeat(256)}`;
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
export const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
const EMPTY_OMMERS = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** The digest that the transaction manager gives for an encrypted payload: 64 bytes. */
export const PAYLOAD_DIGEST = `0x${'e4'.repeat(64)}`;
export const PTM_KEY = 'BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=';
export const OTHER_PTM_KEY = 'QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=';
export const NODE_ID = 'ac6b1096ca56b9f6d004b779ae3728bf83f8e22453404cc3cef16a3d9b96608b'.repeat(2);
export const ENODE = `enode://${NODE_ID}@127.0.0.1:21000?discport=0`;

export const LOG = {
  address: CONTRACT,
  topics: [TOPIC],
  data: '0x01',
  blockNumber: '0x10',
  transactionHash: TRANSACTION_HASH,
  transactionIndex: '0x0',
  blockHash: BLOCK_HASH,
  blockTimestamp: '0x68e5a3f0',
  logIndex: '0x0',
  removed: false,
};

export const TRANSACTION = {
  blockHash: BLOCK_HASH,
  blockNumber: '0x10',
  blockTimestamp: '0x68e5a3f0',
  from: ACCOUNT,
  gas: '0x15f90',
  gasPrice: '0x0',
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
  hash: TRANSACTION_HASH,
  input: '0x',
  nonce: '0x7',
  to: RECIPIENT,
  transactionIndex: '0x0',
  value: '0x1',
  type: '0x2',
  accessList: [],
  chainId: '0x539',
  v: '0x1',
  yParity: '0x1',
  r: '0x5b2b6e380da44241ecd30b21bd56f05da80e217a6347dfe06b0fb00b2e4adc14',
  s: '0x48c4f0255bdb5526171b0a771e61b9f44b3c3fca2feffae04d1748297726ca0f',
};

export const PENDING_TRANSACTION = {
  blockHash: null,
  blockNumber: null,
  blockTimestamp: null,
  from: ACCOUNT,
  gas: '0x5208',
  gasPrice: '0x0',
  hash: TRANSACTION_HASH,
  input: '0x',
  nonce: '0x8',
  to: null,
  transactionIndex: null,
  value: '0x0',
  type: '0x0',
  chainId: '0x539',
  v: '0xa95',
  r: '0x5b2b6e380da44241ecd30b21bd56f05da80e217a6347dfe06b0fb00b2e4adc14',
  s: '0x48c4f0255bdb5526171b0a771e61b9f44b3c3fca2feffae04d1748297726ca0f',
};

export const RECEIPT = {
  type: '0x2',
  transactionHash: TRANSACTION_HASH,
  transactionIndex: '0x0',
  blockHash: BLOCK_HASH,
  blockNumber: '0x10',
  from: ACCOUNT,
  to: CONTRACT,
  cumulativeGasUsed: '0x5208',
  gasUsed: '0x5208',
  contractAddress: null,
  logs: [LOG],
  logsBloom: EMPTY_BLOOM,
  status: '0x1',
  effectiveGasPrice: '0x0',
  isPrivacyMarkerTransaction: false,
};

export const HEADER = {
  number: '0x10',
  hash: BLOCK_HASH,
  parentHash: PARENT_HASH,
  nonce: '0x0000000000000000',
  mixHash: '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365',
  sha3Uncles: EMPTY_OMMERS,
  logsBloom: EMPTY_BLOOM,
  transactionsRoot: EMPTY_ROOT,
  stateRoot: STATE_ROOT,
  receiptsRoot: EMPTY_ROOT,
  miner: ACCOUNT,
  difficulty: '0x1',
  totalDifficulty: '0x11',
  extraData: '0xd983010a00',
  gasLimit: '0x1c9c380',
  gasUsed: '0x0',
  timestamp: '0x68e5a3f0',
  baseFeePerGas: '0x0',
};

export const BLOCK = { ...HEADER, size: '0x273', transactions: [TRANSACTION_HASH], uncles: [] };
