import { ForwardedError, writeJson, type CallContext, type RpcId } from '@tetrad/rpc';
import {
  parseNodeAnswer,
  unusableAnswer,
  type ClientRequest,
  type ClientSession,
  type ForwardedResponse,
} from '@tetrad/signer-downstream';
import { FinalError, MAX_COUNT, type ClientChain, type SequenceClient } from '@tetrad/signer-nonces';
import type { NonceSequenceKey } from '@tetrad/signer-store';
import type { ClientCall, SendPlan } from '@tetrad/signer-transactions';
import { hexFromBytes, isHash, parseHash, type Hash } from '@tetrad/types';

/** The RPC methods that read and advance one nonce sequence on the Ethereum client. */
export interface SequenceCalls {
  readonly pending: ClientCall;
  readonly mined: ClientCall;
  readonly submission: SendPlan['submission'];
}

/** The calls for a nonce sequence without a caller; a caller may have listed recipients instead of a privacy group. */
export function sequenceCalls({ account, privacyGroup }: NonceSequenceKey): SequenceCalls {
  if (privacyGroup === undefined) {
    const countAt = (block: string) => ({ method: 'eth_getTransactionCount', params: [account, block] });
    return { pending: countAt('pending'), mined: countAt('latest'), submission: 'eth_sendRawTransaction' };
  }
  const group = Buffer.from(privacyGroup).toString('base64');
  const count = { method: 'priv_getTransactionCount', params: [account, group] };
  return { pending: count, mined: count, submission: 'eea_sendRawTransaction' };
}

/** Queries the Ethereum client about one nonce sequence, on behalf of a caller or of the signer itself. */
export class NodeSequenceClient implements SequenceClient {
  /** The answer to the last submission, and its outcome. */
  private last: { readonly answer: ForwardedResponse; readonly outcome: unknown } | undefined;

  constructor(
    private readonly session: ClientSession,
    private readonly calls: SequenceCalls,
    private readonly callId?: CallContext['callId'],
  ) {}

  pendingCount(): Promise<bigint> {
    return this.count(this.calls.pending);
  }

  minedCount(): Promise<bigint> {
    return this.count(this.calls.mined);
  }

  async submit(raw: Uint8Array): Promise<Hash> {
    this.last = undefined;
    // The client might treat a request with a null id as a notification and not answer.
    const id = this.callId ?? 0;
    const answer = await this.askToTake({ method: this.calls.submission, params: [hexFromBytes(raw)] }, id);
    const outcome = readOutcome(answer, id);
    this.last = { answer, outcome };
    if (typeof outcome === 'string') return outcome;
    throw outcome;
  }

  async knows(hash: Hash): Promise<boolean | undefined> {
    // The client knows a private transaction by the hash of its marker only.
    if (this.calls.submission !== 'eth_sendRawTransaction') return undefined;
    const found = await this.session.call('eth_getTransactionByHash', [hash]);
    return found !== null && found !== undefined;
  }

  async chain(): Promise<ClientChain> {
    const chainId = await this.session.quantity('eth_chainId', []).catch(() => undefined);
    const block = await this.session.call('eth_getBlockByNumber', ['0x0', false]).catch(() => undefined);
    return { chainId, genesis: hashOf(block) };
  }

  /** The unmodified answer to the last submission, when it is the outcome of the send. */
  answerOf(outcome: unknown): ForwardedResponse | undefined {
    const isOwnId = this.callId !== undefined && this.callId !== null;
    return isOwnId && this.last !== undefined && this.last.outcome === outcome ? this.last.answer : undefined;
  }

  private async count({ method, params }: ClientCall): Promise<bigint> {
    const count = await this.session.quantity(method, params);
    if (count > MAX_COUNT) throw unusableAnswer();
    return count;
  }

  private askToTake(request: ClientRequest, id: RpcId): Promise<ForwardedResponse> {
    // For private transactions the client calls its privacy manager, so in a batch each would wait for the previous one.
    return request.method === 'eth_sendRawTransaction'
      ? this.session.askGathered(request, id)
      : this.session.ask(request, id);
  }
}

function hashOf(block: unknown): Hash | undefined {
  const hash = typeof block === 'object' && block !== null && 'hash' in block ? block.hash : undefined;
  return typeof hash === 'string' && isHash(hash) ? parseHash(hash) : undefined;
}

/** The hash of the transaction, or the error. An answer to another request is unusable. */
function readOutcome({ status, body }: ForwardedResponse, id: RpcId): Hash | Error {
  const said = parseNodeAnswer(body);
  if (said.kind === 'unusable' || isOfAnother(said.id, id)) return unusableAnswer();
  if (said.kind === 'error') return new (status === 200 ? ForwardedError : FinalError)(said.error);
  return typeof said.result === 'string' && isHash(said.result) ? parseHash(said.result) : unusableAnswer();
}

/** A client that could not read the id answers with id null. */
function isOfAnother(answered: unknown, asked: RpcId): boolean {
  return answered !== undefined && answered !== null && writeJson(answered) !== writeJson(asked);
}
