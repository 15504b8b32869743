import type { eeaMethods, ethMethods, signerStandardMethods, TypedData } from '@tetrad/api-signer';
import { encodeSignature65 } from '@tetrad/crypto';
import { FramingError, type CallContext, type Handlers } from '@tetrad/rpc';
import {
  accountNamed,
  personalMessageDigest,
  planPrivate,
  planPublic,
  signTransaction,
  typedDataDigest,
  TypedDataError,
  type SendPlan,
} from '@tetrad/signer-transactions';
import type { Address } from '@tetrad/types';
import { NodeSubmitter } from './node-submitter.js';
import type { SignerParts } from './signer-parts.js';

type Table = typeof ethMethods & typeof eeaMethods & typeof signerStandardMethods;

/** The methods that the proxy answers itself. */
export function signerHandlers(parts: SignerParts): Handlers<Table> {
  const { accounts, chainId } = parts;
  const signTypedData: Handlers<Table>['eth_signTypedData'] = ([name, data]) => {
    const account = accountNamed(name, accounts);
    return signDigest(parts, account, typedDigest(data));
  };
  return {
    eth_accounts: () => [...accounts.list()],
    eth_sign: ([name, message]) =>
      signDigest(parts, accountNamed(name, accounts), personalMessageDigest(message)),
    eth_signTypedData: signTypedData,
    eth_signTypedData_v4: signTypedData,
    async eth_signTransaction([request]) {
      const plan = planPublic(request, accountNamed(request.from, accounts), chainId);
      // The definition has it given.
      const { raw } = await signTransaction(plan.complete(plan.nonce ?? 0n), plan.account, accounts);
      return raw;
    },
    eth_sendTransaction: ([request], context) =>
      send(parts, planPublic(request, accountNamed(request.from, accounts), chainId), context),
    eea_sendTransaction: ([request], context) =>
      send(parts, planPrivate(request, accountNamed(request.from, accounts), chainId), context),
  };
}

function send({ downstream, sender }: SignerParts, plan: SendPlan, context: CallContext) {
  const submitter = new NodeSubmitter(downstream.onBehalfOf(context.headers), context);
  return sender.send(plan, { submitter, signal: context.signal });
}

/** Layout: r (32) ‖ s (32) ‖ v (1), v = 27 + parity. */
async function signDigest({ accounts }: SignerParts, account: Address, digest: Uint8Array) {
  const signature = await accounts.sign(account, digest);
  const bytes = encodeSignature65(signature);
  bytes[64] = 27 + signature.parity;
  return bytes;
}

function typedDigest(data: TypedData): Uint8Array {
  try {
    return typedDataDigest(data);
  } catch (error) {
    if (!(error instanceof TypedDataError)) throw error;
    throw new FramingError('INVALID_PARAMS', `invalid params: typedData: ${error.message}`, {
      reason: 'INVALID_PARAMS',
      field: 'typedData',
    });
  }
}
