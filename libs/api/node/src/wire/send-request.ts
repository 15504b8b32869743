import { addressCodec } from '@tetrad/rpc';
import type { Address, PtmKey } from '@tetrad/types';
import { z } from 'zod';
import {
  checkRequest,
  mutableAccessList,
  pickRequest,
  requestData,
  requestMembers,
  type CallRequest,
} from './call-request.js';
import { compact } from './compact.js';
import { integerOf } from './integer.js';
import { ptmKeyCodec } from './ptm-key.js';

/** How a private transaction is distributed; the ranges of the flag are a rule of the domain, not of the wire. */
export interface PrivacyRequest {
  /** The sender's key; the manager's default when absent. */
  readonly privateFrom?: PtmKey;
  /** Recipients. Present, also when empty, exactly when the transaction is private. */
  readonly privateFor?: readonly PtmKey[];
  /** 0 standard private, 1 counterparty protection, 2 mandatory party protection, 3 private state validation. */
  readonly privacyFlag?: number;
  readonly mandatoryFor?: readonly PtmKey[];
  /** Whether a transaction of flag 0 may leave out known parties of the contracts that it enters; false when absent. */
  readonly allowSubset?: boolean;
}

/** A transaction that the node signs with one of its accounts. */
export interface SendRequest extends CallRequest, PrivacyRequest {}

export interface AsyncSendRequest extends SendRequest {
  /** Where the outcome is posted. */
  readonly callbackUrl?: string;
  /** Milliseconds that the outcome of a private transaction waits for the agreement of its parties. */
  readonly waitAgreement?: number;
}

/** A transaction whose missing members the node fills in; the sender is not guessed. Also called txArgs. */
export interface TransactionArguments extends SendRequest {
  readonly from: Address;
}

const privacyMembers = {
  privateFrom: ptmKeyCodec.nullish(),
  privateFor: z.array(ptmKeyCodec).nullish(),
  privacyFlag: z.int().nonnegative().nullish(),
  mandatoryFor: z.array(ptmKeyCodec).nullish(),
  allowSubset: z.boolean().nullish(),
};

const sendMembers = { ...requestMembers, ...privacyMembers, restriction: z.literal('restricted').nullish() };

/**
 * A misspelt privacy member would send in public what was meant to be private, so every unknown member that
 * looks like one is refused; other unknown members are ignored, as other clients do.
 */
function refuseMisspeltPrivacy(request: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  for (const member of Object.keys(request)) {
    if (member in sendMembers || !/^(?:priv|mandat|restrict)/i.test(member)) continue;
    context.addIssue({ code: 'custom', path: [member], message: 'is not a member of a transaction' });
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const wireSend = z.looseObject(sendMembers).superRefine(checkRequest).superRefine(refuseMisspeltPrivacy);

type WireSend = z.output<typeof wireSend>;

function sendFromWire(wire: WireSend): SendRequest {
  return compact({
    ...pickRequest(wire),
    data: requestData(wire),
    privateFrom: wire.privateFrom,
    privateFor: wire.privateFor,
    privacyFlag: wire.privacyFlag,
    mandatoryFor: wire.mandatoryFor,
    allowSubset: wire.allowSubset,
  });
}

function sendToWire({ data, privateFor, mandatoryFor, ...request }: SendRequest) {
  return {
    ...request,
    input: data,
    accessList: mutableAccessList(request),
    privateFor: privateFor && [...privateFor],
    mandatoryFor: mandatoryFor && [...mandatoryFor],
  };
}

/** The transaction object of eth_sendTransaction and of the methods that take the same one. */
export const sendRequestCodec = z.codec(wireSend, z.custom<SendRequest>(isObject), {
  decode: sendFromWire,
  encode: sendToWire,
});

/** The transaction object of eth_sendTransactionAsync. */
export const asyncSendRequestCodec = z.codec(
  wireSend.safeExtend({
    callbackUrl: z.string().max(2048).nullish(),
    waitAgreement: integerOf('number of milliseconds', 3_600_000).nullish(),
  }),
  z.custom<AsyncSendRequest>(isObject),
  {
    decode: (wire): AsyncSendRequest => ({
      ...sendFromWire(wire),
      ...(wire.callbackUrl ? { callbackUrl: wire.callbackUrl } : {}),
      ...(typeof wire.waitAgreement === 'number' && { waitAgreement: wire.waitAgreement }),
    }),
    encode: ({ callbackUrl, waitAgreement, ...request }) => ({
      ...sendToWire(request),
      callbackUrl,
      waitAgreement,
    }),
  },
);

/** The transaction object of eth_fillTransaction, and the txArgs of extension and permission writes. */
export const transactionArgumentsCodec = z.codec(
  wireSend.safeExtend({ from: addressCodec }),
  z.custom<TransactionArguments>(isObject),
  {
    decode: (wire): TransactionArguments => ({ ...sendFromWire(wire), from: wire.from }),
    encode: (request) => ({ ...sendToWire(request), from: request.from }),
  },
);

/** What goes with a raw private transaction: to whom, and how protected. */
export interface RawPrivacyRequest extends PrivacyRequest {
  readonly privateFor: readonly PtmKey[];
}

/** The private data object of eth_sendRawPrivateTransaction and eth_distributePrivateTransaction. */
export const rawPrivacyRequestCodec = z.codec(
  z.object({ ...privacyMembers, privateFor: z.array(ptmKeyCodec) }).strict(),
  z.custom<RawPrivacyRequest>(isObject),
  {
    decode: (wire): RawPrivacyRequest => ({ ...compact(wire), privateFor: wire.privateFor }),
    encode: ({ privateFor, mandatoryFor, ...rest }) => ({
      ...rest,
      privateFor: [...privateFor],
      mandatoryFor: mandatoryFor && [...mandatoryFor],
    }),
  },
);
