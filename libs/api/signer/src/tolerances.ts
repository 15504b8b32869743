import type { Tolerance } from '@tetrad/rpc';

const unchanged = (params: readonly unknown[]) => params;

/** The framing puts a params object that is no array into the first position before definitions see it. */
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
