import type { ethMethods } from '@tetrad/api-node';
import { TransactionDecodeError } from '@tetrad/node-execution';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, bytesFromHex, type SignedTransaction } from '@tetrad/types';
import type { RawPrivateTransactions } from '@tetrad/node-transactions';
import type { NodeParts } from './node-parts.js';

type Served = 'eth_sendRawPrivateTransaction' | 'eth_distributePrivateTransaction';

/** Private transactions that were signed elsewhere. */
export function privateSendingHandlers(
  parts: Pick<NodeParts, 'privacy' | 'sending'>,
): Handlers<Pick<typeof ethMethods, Served>> {
  const { sending, privacy } = parts;
  return {
    eth_sendRawPrivateTransaction: async ([raw, request]) =>
      rawOf(sending).send(decode(privacy.decode, raw), request),
    eth_distributePrivateTransaction: async ([raw, request]) =>
      bytesFromHex(await rawOf(sending).distribute(decode(privacy.decode, raw), request)),
  };
}

function rawOf(sending: NodeParts['sending']): RawPrivateTransactions {
  if (sending !== undefined) return sending.raw;
  throw new RequestError('PRIVACY_NOT_AVAILABLE', 'private transactions are not enabled on this node');
}

function decode(read: (raw: Uint8Array) => SignedTransaction, raw: Uint8Array): SignedTransaction {
  try {
    return read(raw);
  } catch (error) {
    if (error instanceof TransactionDecodeError) throw new RequestError(error.code, error.message);
    throw error;
  }
}
