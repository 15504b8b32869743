import { readJson, type Tolerance } from '@tetrad/rpc';

const unchanged = (params: readonly unknown[]) => params;

/** The signer's framing wraps params that are not an array in an array before definitions see them. */
export const PARAMS_WITHOUT_ARRAY: Tolerance = {
  what: 'the transaction object itself as params, without the array around it',
  source: 'Consensys/ethsigner, core/jsonrpc/RpcUtil.java',
  normalize: unchanged,
};

/** Read by the codecs of the members themselves. */
export const LOOSE_QUANTITIES: Tolerance = {
  what: 'quantities as JSON integers or decimal text, hex with leading zeros or without 0x, null for absent',
  source: 'Consensys/ethsigner, core/jsonrpc/EthSendTransactionJsonParameters.java',
  normalize: unchanged,
};

const MAX_TYPED_DATA_DEPTH = 64;

export const TYPED_DATA_AS_TEXT: Tolerance = {
  what: 'the typed data as JSON text',
  source: 'Consensys/web3signer, EthSignTypedDataResultProvider; MetaMask, eth_signTypedData_v4',
  normalize: (params) => params.map((value, index) => (index === 1 ? objectFromJson(value) : value)),
};

export const FURTHER_PARAMS: Tolerance = {
  what: 'further parameters, which are ignored',
  source: 'Consensys/web3signer, EthSignTypedDataResultProvider',
  normalize: (params) => params.slice(0, 2),
};

function objectFromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return readJson(value, MAX_TYPED_DATA_DEPTH);
  } catch {
    return value;
  }
}
