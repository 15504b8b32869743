import { addressCodec, hashCodec } from '@tetrad/rpc';
import type { AccessListEntry, Address, PtmKey } from '@tetrad/types';
import { z } from 'zod';
import {
  accountNameCodec,
  compact,
  looseDataCodec,
  looseQuantityCodec,
  ptmKeyCodec,
  recipientCodec,
} from './values.js';

/** A public transaction to sign. Absent members take the defaults of the interface document. */
export interface TransactionRequest {
  /** Name of the keystore account, see `accountNameCodec`. */
  readonly from: string;
  /** Absent for a contract creation. */
  readonly to?: Address;
  readonly gas?: bigint;
  /** Wei. */
  readonly gasPrice?: bigint;
  /** Wei. */
  readonly maxFeePerGas?: bigint;
  /** Wei. */
  readonly maxPriorityFeePerGas?: bigint;
  readonly nonce?: bigint;
  /** Wei. */
  readonly value?: bigint;
  readonly data?: Uint8Array;
  readonly accessList?: readonly AccessListEntry[];
  readonly chainId?: bigint;
}

/** A restricted private transaction to sign; exactly one of the two ways to name the recipients is given. */
export interface PrivateTransactionRequest extends Omit<TransactionRequest, 'value' | 'accessList'> {
  readonly privateFrom: PtmKey;
  readonly privateFor?: readonly PtmKey[];
  readonly privacyGroupId?: PtmKey;
}

const commonMembers = {
  from: accountNameCodec,
  to: recipientCodec.nullish(),
  gas: looseQuantityCodec.nullish(),
  gasPrice: looseQuantityCodec.nullish(),
  nonce: looseQuantityCodec.nullish(),
  value: looseQuantityCodec.nullish(),
  data: looseDataCodec.nullish(),
  input: looseDataCodec.nullish(),
  maxFeePerGas: looseQuantityCodec.nullish(),
  maxPriorityFeePerGas: looseQuantityCodec.nullish(),
  chainId: looseQuantityCodec.nullish(),
};

const publicMembers = {
  ...commonMembers,
  accessList: z.array(z.object({ address: addressCodec, storageKeys: z.array(hashCodec) })).nullish(),
};

type Refinement = (request: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => void;

const UNSUPPORTED = ['authorizationList', 'blobVersionedHashes', 'blobs', 'maxFeePerBlobGas'];

/** Signing without these members would sign another transaction than the one asked for. */
const refuseUnsupported: Refinement = (request, context) => {
  for (const member of UNSUPPORTED) {
    const value = request[member] ?? [];
    if (Array.isArray(value) && value.length === 0) continue;
    context.addIssue({ code: 'custom', path: [member], message: 'is not supported' });
  }
};

/** Signing a public transaction would publish what was meant to be private, however the member is spelt. */
const refusePrivacy: Refinement = (request, context) => {
  for (const [member, value] of Object.entries(request)) {
    if (value === null || value === undefined || !/^(?:priv|mandat|restrict)/i.test(member)) continue;
    const message =
      'is not signed here: use eea_sendTransaction, or the node itself, for private transactions';
    context.addIssue({ code: 'custom', path: [member], message });
  }
};

const refuseConflictingData: Refinement = ({ data, input }, context) => {
  if (!(data instanceof Uint8Array && input instanceof Uint8Array) || Buffer.compare(data, input) === 0)
    return;
  context.addIssue({
    code: 'custom',
    path: ['data'],
    message: 'must be the same as input when both are given',
  });
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** One refinement for all three: each costs by being one. */
const wirePublic = z.looseObject(publicMembers).superRefine((request, context) => {
  refuseUnsupported(request, context);
  refusePrivacy(request, context);
  refuseConflictingData(request, context);
});

type WireCommon = { readonly [Key in keyof typeof commonMembers]?: z.output<(typeof commonMembers)[Key]> };

function commonFromWire(wire: WireCommon) {
  const { to, gas, gasPrice, nonce, maxFeePerGas, maxPriorityFeePerGas, chainId } = wire;
  const data = wire.data ?? wire.input;
  return compact({ to, gas, gasPrice, nonce, maxFeePerGas, maxPriorityFeePerGas, chainId, data });
}

function publicFromWire(wire: z.output<typeof wirePublic>): TransactionRequest {
  const { from, value, accessList } = wire;
  return { ...commonFromWire(wire), ...compact({ value, accessList }), from };
}

function publicToWire({ accessList, ...request }: TransactionRequest) {
  return {
    ...request,
    accessList: accessList?.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
  };
}

/** The transaction object of eth_sendTransaction on the signing proxy. */
export const transactionRequestCodec = z.codec(wirePublic, z.custom<TransactionRequest>(isObject), {
  decode: publicFromWire,
  encode: publicToWire,
});

/** The transaction object of eth_signTransaction: nobody is asked for a nonce, so it must be given. */
export const signingRequestCodec = z.codec(
  wirePublic.refine(({ nonce }) => nonce !== undefined && nonce !== null, {
    path: ['nonce'],
    message: 'must be given: nobody is asked for it',
  }),
  z.custom<TransactionRequest & { readonly nonce: bigint }>(isObject),
  { decode: (wire) => ({ ...publicFromWire(wire), nonce: wire.nonce ?? 0n }), encode: publicToWire },
);

const privateMembers = {
  ...commonMembers,
  value: looseQuantityCodec
    .refine((value) => value === 0n, 'must be zero: ether transfers cannot be private')
    .nullish(),
  privateFrom: ptmKeyCodec,
  privateFor: z.array(ptmKeyCodec).optional(),
  privacyGroupId: ptmKeyCodec.optional(),
  restriction: z.string().regex(/^restricted$/i, 'must be the value restricted'),
};

const wirePrivate = z
  .looseObject(privateMembers)
  .superRefine(refuseUnsupported)
  .superRefine(refuseConflictingData)
  .refine(({ privateFor, privacyGroupId }) => (privateFor === undefined) !== (privacyGroupId === undefined), {
    path: ['privateFor'],
    message: 'must be given exactly when privacyGroupId is not',
  });

/** The transaction object of eea_sendTransaction. */
export const privateTransactionRequestCodec = z.codec(
  wirePrivate,
  z.custom<PrivateTransactionRequest>(isObject),
  {
    decode: (wire): PrivateTransactionRequest => ({
      ...commonFromWire(wire),
      ...compact({ privateFor: wire.privateFor, privacyGroupId: wire.privacyGroupId }),
      from: wire.from,
      privateFrom: wire.privateFrom,
    }),
    encode: ({ privateFor, ...request }) => ({
      ...request,
      privateFor: privateFor && [...privateFor],
      restriction: 'restricted',
    }),
  },
);
