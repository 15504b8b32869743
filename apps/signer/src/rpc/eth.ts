import { setImmediate } from 'node:timers/promises';
import type {
  eeaMethods,
  ethMethods,
  signerListMethods,
  signerStandardMethods,
  TypedData,
} from '@tetrad/api-signer';
import { personalMessageDigest } from '@tetrad/crypto';
import { FramingError, type CallContext, type Handlers } from '@tetrad/rpc';
import { NodeSequenceClient, sequenceCalls } from '../node-sequence-client.js';
import {
  byAddress,
  sequenceOf,
  typedDataDigest,
  TypedDataError,
  type SendThrough,
} from '@tetrad/signer-transactions';
import type { ClientSession } from '@tetrad/signer-downstream';
import type { Hash } from '@tetrad/types';
import pLimit from 'p-limit';
import { encodeV } from './encode-v.js';
import type { SignerParts } from './signer-parts.js';

/**
 * Runs jobs that hold up the process for a moment one after another, with whatever else is to be done in between: those
 * of a batch would otherwise come all at once.
 */
class InTurn {
  private readonly limit = pLimit(1);

  /** Runs the job after earlier ones; the result is that of the job, also when it throws. */
  run<T>(job: () => T): Promise<T> {
    return this.limit(async () => {
      await setImmediate();
      return job();
    });
  }
}

type Table = typeof ethMethods &
  typeof eeaMethods &
  Omit<typeof signerStandardMethods, keyof typeof signerListMethods>;

/** Names a request, so that it is sent once however often it is made. */
const IDEMPOTENCY_HEADER = 'idempotency-key';

/** The methods that sign and send, and what says that the proxy is there. */
export function signerHandlers(
  parts: Pick<SignerParts, 'accounts' | 'downstream' | 'filledGas' | 'signer'>,
): Handlers<Table> {
  const { accounts, filledGas, signer } = parts;
  const hashing = new InTurn();
  const signTypedData =
    (method: string): Handlers<Table>['eth_signTypedData'] =>
    async ([name, data], { subject }) => {
      const digest = await hashing.run(() => typedDigest(data));
      return encodeV(await signer.signDigest({ caller: subject, method }, byAddress(name), digest));
    };
  return {
    health_status: () => 'OK',
    eth_accounts: () => [...accounts.list()],
    async eth_sign([name, message], { subject }) {
      const asker = { caller: subject, method: 'eth_sign' };
      return encodeV(await signer.signDigest(asker, byAddress(name), personalMessageDigest(message)));
    },
    eth_signTypedData: signTypedData('eth_signTypedData'),
    eth_signTypedData_v4: signTypedData('eth_signTypedData_v4'),
    async eth_signTransaction([request], { subject }) {
      const raw = await signer.signTransaction({ caller: subject, method: 'eth_signTransaction' }, request);
      filledGas.report(request);
      return raw;
    },
    async eth_sendTransaction([request], context) {
      const estimateGas = filledGas.estimate?.(request, sessionOf(parts, context));
      const hash = await forwarding(parts, context, (through) =>
        signer.sendPublic({ caller: context.subject, method: 'eth_sendTransaction' }, request, {
          ...through,
          estimateGas,
        }),
      );
      if (estimateGas === undefined) filledGas.report(request, hash);
      return hash;
    },
    async eea_sendTransaction([request], context) {
      const hash = await forwarding(parts, context, (through) =>
        signer.sendPrivate({ caller: context.subject, method: 'eea_sendTransaction' }, request, through),
      );
      filledGas.report(request, hash);
      return hash;
    },
  };
}

/** With the Ethereum client on behalf of the caller. */
function sessionOf({ downstream }: Pick<SignerParts, 'downstream'>, context: CallContext): ClientSession {
  return downstream.onBehalfOf(context.headerValues ?? context.headers);
}

/** Sends, and forwards the Ethereum client's answer unmodified when it is the outcome of the send. */
async function forwarding(
  parts: Pick<SignerParts, 'downstream'>,
  context: CallContext,
  send: (through: SendThrough) => Promise<Hash>,
): Promise<Hash> {
  let client: NodeSequenceClient | undefined;
  const clientFor: SendThrough['clientFor'] = (plan) => {
    const calls = { ...sequenceCalls(sequenceOf(plan)), pending: plan.nonceLookup };
    client = new NodeSequenceClient(sessionOf(parts, context), calls, context.callId);
    return client;
  };
  const forward = (outcome: unknown) => {
    const answer = client?.answerOf(outcome);
    if (answer !== undefined) context.forward?.(answer);
  };
  const { headers } = context;
  const signal = new CallerGone(context);
  try {
    const idempotencyKey = headers[IDEMPOTENCY_HEADER];
    const hash = await send({ clientFor, signal, idempotencyKey });
    forward(hash);
    return hash;
  } catch (error) {
    forward(error);
    throw error;
  }
}

/** The nonce manager asks a few times a send; a signal to ask would cost more than all of its questions. */
class CallerGone {
  constructor(private readonly context: CallContext) {}

  get aborted(): boolean {
    return this.context.isAbandoned;
  }
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
