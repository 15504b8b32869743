import { addressCodec, hashCodec } from '@tetrad/rpc';
import type { AccessListEntry, Address, PtmKey } from '@tetrad/types';
import { z } from 'zod';
import {
  accountNameCodec,
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
  readonly to?: Address | undefined;
  readonly gas?: bigint | undefined;
  /** Gas price in wei. */
  readonly gasPrice?: bigint | undefined;
  /** Max fee per gas in wei. */
  readonly maxFeePerGas?: bigint | undefined;
  /** Max priority fee per gas in wei. */
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  /** Value in wei. */
  readonly value?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
  readonly chainId?: bigint | undefined;
}

/** A restricted private transaction to sign; exactly one of the two ways to name the recipients is given. */
export interface PrivateTransactionRequest extends Omit<TransactionRequest, 'value' | 'accessList'> {
  readonly privateFrom: PtmKey;
  readonly privateFor?: readonly PtmKey[] | undefined;
  readonly privacyGroupId?: PtmKey | undefined;
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

/** Problems with requests that EthSigner takes, or would sign as something else; the others have its exact text (docs/adr/0021). */
export const OWN_PROBLEMS = {
  unsupported: 'is not supported',
  private: 'is not signed here: use eea_sendTransaction, or the node itself, for private transactions',
  conflict: 'must be the same as input when both are given',
} as const;

type Refinement = (request: Readonly<Record<string, unknown>>, context: z.RefinementCtx) => void;

const UNSUPPORTED = ['authorizationList', 'blobVersionedHashes', 'blobs', 'maxFeePerBlobGas'];

/** Of the types that are signed here, which the fees decide on. */
const HIGHEST_TYPE = 2;

/** Signing without these members would sign another transaction than the one asked for. */
const refuseUnsupported: Refinement = (request, context) => {
  const { type } = request;
  if ((typeof type === 'string' || typeof type === 'number') && Number(type) > HIGHEST_TYPE)
    context.addIssue({ code: 'custom', path: ['type'], message: OWN_PROBLEMS.unsupported });
  for (const member of UNSUPPORTED) {
    const value = request[member] ?? [];
    if (Array.isArray(value) && value.length === 0) continue;
    context.addIssue({ code: 'custom', path: [member], message: OWN_PROBLEMS.unsupported });
  }
};

/** Signing a public transaction would publish what was meant to be private, however the member is spelt. */
const refusePrivacy: Refinement = (request, context) => {
  for (const member of Object.keys(request)) {
    const value = request[member];
    if (value === null || value === undefined || !/^(?:priv|mandat|restrict)/i.test(member)) continue;
    context.addIssue({ code: 'custom', path: [member], message: OWN_PROBLEMS.private });
  }
};

const refuseConflictingData: Refinement = ({ data, input }, context) => {
  if (!(data instanceof Uint8Array && input instanceof Uint8Array) || Buffer.compare(data, input) === 0)
    return;
  context.addIssue({
    code: 'custom',
    path: ['data'],
    message: OWN_PROBLEMS.conflict,
  });
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const requireNonce: Refinement = ({ nonce }, context) => {
  if (nonce !== undefined && nonce !== null) return;
  context.addIssue({ code: 'custom', path: ['nonce'], message: 'must be given: it is not looked up' });
};

/** One refinement for all: each costs by being one. */
function refinedBy(...refinements: readonly Refinement[]) {
  return z.looseObject(publicMembers).superRefine((request, context) => {
    for (const refine of refinements) refine(request, context);
  });
}

const ERRORS = [refuseUnsupported, refusePrivacy, refuseConflictingData];
const wirePublic = refinedBy(...ERRORS);
const wireSigning = refinedBy(...ERRORS, requireNonce);

type WirePublic = Pick<z.output<typeof wirePublic>, keyof typeof publicMembers>;

/**
 * Clients write null for "not given". Member by member: collecting those that are given, or copying the ones that all
 * transactions have, takes 2 µs and more (measured).
 */
function requestFromWire(wire: WirePublic): TransactionRequest {
  return {
    from: wire.from,
    to: wire.to ?? undefined,
    gas: wire.gas ?? undefined,
    gasPrice: wire.gasPrice ?? undefined,
    maxFeePerGas: wire.maxFeePerGas ?? undefined,
    maxPriorityFeePerGas: wire.maxPriorityFeePerGas ?? undefined,
    nonce: wire.nonce ?? undefined,
    value: wire.value ?? undefined,
    data: wire.data ?? wire.input ?? undefined,
    accessList: wire.accessList ?? undefined,
    chainId: wire.chainId ?? undefined,
  };
}

function publicToWire({ accessList, ...request }: TransactionRequest) {
  return {
    ...request,
    accessList: accessList?.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
  };
}

/** The transaction object of eth_sendTransaction on the signing proxy. */
export const transactionRequestCodec = z.codec(wirePublic, z.custom<TransactionRequest>(isObject), {
  decode: requestFromWire,
  encode: publicToWire,
});

/** The transaction object of eth_signTransaction: the nonce is not looked up, so it must be given. */
export const signingRequestCodec = z.codec(
  wireSigning,
  z.custom<TransactionRequest & { readonly nonce: bigint }>(isObject),
  { decode: (wire) => ({ ...requestFromWire(wire), nonce: wire.nonce ?? 0n }), encode: publicToWire },
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
      ...requestFromWire({ ...wire, value: undefined, accessList: undefined }),
      privateFrom: wire.privateFrom,
      privateFor: wire.privateFor,
      privacyGroupId: wire.privacyGroupId,
    }),
    encode: ({ privateFor, ...request }) => ({
      ...request,
      privateFor: privateFor && [...privateFor],
      restriction: 'restricted',
    }),
  },
);
