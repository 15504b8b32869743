import { addressCodec, dataCodec, nonceCodec, quantityCodec, uint64Codec } from '@tetrad/rpc';
import type { AccessListEntry, Address, PtmKey, TransactionType } from '@tetrad/types';
import { z } from 'zod';
import { accessListCodec } from './transaction.js';
import { compact, equalBytes } from './compact.js';
import { ptmKeyCodec } from './ptm-key.js';
import { recipientCodec } from './text.js';
import { requestTypeCodec } from './transaction-type.js';

/** An unsigned transaction; everything that a node can fill in is optional. */
export interface CallRequest {
  readonly from?: Address;
  /** Absent for a contract creation. */
  readonly to?: Address;
  readonly gas?: bigint;
  /** Gas price in wei. */
  readonly gasPrice?: bigint;
  /** Max fee per gas in wei. */
  readonly maxFeePerGas?: bigint;
  /** Max priority fee per gas in wei. */
  readonly maxPriorityFeePerGas?: bigint;
  /** Wei. Zero that was written out is kept apart from an absent value. */
  readonly value?: bigint;
  /** Call data or init code, from `input` or `data`. */
  readonly data?: Uint8Array;
  readonly nonce?: bigint;
  readonly accessList?: readonly AccessListEntry[];
  readonly type?: TransactionType;
  readonly chainId?: bigint;
  /** Of a private transaction; in a call or an estimate it only marks the request as private. */
  readonly privateFor?: readonly PtmKey[];
}

export const DATA_CONFLICT =
  'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data';

/** Members that would change the meaning of the transaction and that this ledger cannot honour. */
const UNSUPPORTED = ['authorizationList', 'blobVersionedHashes', 'blobs', 'maxFeePerBlobGas'];

/** Members of every request, in their wire form; null counts as absent. */
export const requestMembers = {
  from: addressCodec.nullish(),
  to: recipientCodec.nullish(),
  gas: uint64Codec.nullish(),
  gasPrice: quantityCodec.nullish(),
  maxFeePerGas: quantityCodec.nullish(),
  maxPriorityFeePerGas: quantityCodec.nullish(),
  value: quantityCodec.nullish(),
  data: dataCodec.nullish(),
  input: dataCodec.nullish(),
  nonce: nonceCodec.nullish(),
  accessList: accessListCodec.nullish(),
  type: requestTypeCodec.nullish(),
  chainId: quantityCodec.nullish(),
};

interface RequestData {
  readonly data?: Uint8Array | null | undefined;
  readonly input?: Uint8Array | null | undefined;
}

/** Names the field of every rule that a request breaks: conflicting data, members that cannot be honoured. */
export function checkRequest(
  request: RequestData & Readonly<Record<string, unknown>>,
  context: z.RefinementCtx,
): void {
  if (request.data && request.input && !equalBytes(request.data, request.input)) {
    context.addIssue({ code: 'custom', path: ['data'], message: DATA_CONFLICT });
  }
  for (const member of UNSUPPORTED) {
    const value = request[member];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    context.addIssue({ code: 'custom', path: [member], message: 'is not supported by this ledger' });
  }
}

/** Call data from either of its two names. */
export function requestData({ data, input }: RequestData): Uint8Array | undefined {
  return input ?? data ?? undefined;
}

/**
 * The request of eth_call, eth_estimateGas and eth_createAccessList. Unknown members are ignored, as other
 * clients do; members of blob and set-code transactions are refused, because ignoring them would run another
 * transaction than the one that was asked for.
 */
export const callRequestCodec = z.codec(
  z.looseObject({ ...requestMembers, privateFor: z.array(ptmKeyCodec).nullish() }).superRefine(checkRequest),
  z.custom<CallRequest>((value) => typeof value === 'object' && value !== null),
  {
    decode: (wire): CallRequest =>
      compact({ ...pickRequest(wire), data: requestData(wire), privateFor: wire.privateFor }),
    encode: ({ data, privateFor, ...request }) => ({
      ...request,
      input: data,
      accessList: mutableAccessList(request),
      privateFor: privateFor && [...privateFor],
    }),
  },
);

type WireRequest = { readonly [Key in keyof typeof requestMembers]?: z.output<(typeof requestMembers)[Key]> };

/** The known members without data; drops what the loose object let through. */
export function pickRequest(wire: WireRequest) {
  return {
    from: wire.from,
    to: wire.to,
    gas: wire.gas,
    gasPrice: wire.gasPrice,
    maxFeePerGas: wire.maxFeePerGas,
    maxPriorityFeePerGas: wire.maxPriorityFeePerGas,
    value: wire.value,
    nonce: wire.nonce,
    accessList: wire.accessList,
    type: wire.type,
    chainId: wire.chainId,
  };
}

/** Codecs want arrays that they could write to; the entries are copied. */
export function mutableAccessList({ accessList }: CallRequest): z.output<typeof accessListCodec> | undefined {
  return accessList?.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }));
}
