import { ForwardedError, writeJson, type CallContext, type RpcId } from '@tetrad/rpc';
import {
  parseNodeAnswer,
  unusableAnswer,
  type ClientRequest,
  type ClientSession,
  type ForwardedResponse,
} from '@tetrad/signer-downstream';
import { FinalError, type LaneClient } from '@tetrad/signer-nonces';
import type { LaneKey } from '@tetrad/signer-store';
import type { ClientCall, SendPlan } from '@tetrad/signer-transactions';
import { hexFromBytes, isHash, parseHash, type Hash } from '@tetrad/types';

/** How the Ethereum client is asked about one lane of nonces. */
export interface LaneCalls {
  readonly pending: ClientCall;
  readonly mined: ClientCall;
  readonly submission: SendPlan['submission'];
}

/** The calls for a lane without a caller, who may have named recipients in the place of their group. */
export function laneCalls({ account, privacyGroup }: LaneKey): LaneCalls {
  if (privacyGroup === undefined) {
    const countAt = (block: string) => ({ method: 'eth_getTransactionCount', params: [account, block] });
    return { pending: countAt('pending'), mined: countAt('latest'), submission: 'eth_sendRawTransaction' };
  }
  const group = Buffer.from(privacyGroup).toString('base64');
  const count = { method: 'priv_getTransactionCount', params: [account, group] };
  return { pending: count, mined: count, submission: 'eea_sendRawTransaction' };
}

/** Speaks to the Ethereum client about one lane, for a caller or for nobody. */
export class NodeLaneClient implements LaneClient {
  /** What was said to the last submission, and what became of it. */
  private last: { readonly answer: ForwardedResponse; readonly outcome: unknown } | undefined;

  constructor(
    private readonly session: ClientSession,
    private readonly calls: LaneCalls,
    private readonly callId?: CallContext['callId'],
  ) {}

  pendingCount(): Promise<bigint> {
    return this.session.quantity(this.calls.pending.method, this.calls.pending.params);
  }

  minedCount(): Promise<bigint> {
    return this.session.quantity(this.calls.mined.method, this.calls.mined.params);
  }

  async submit(raw: Uint8Array): Promise<Hash> {
    this.last = undefined;
    // Under a null id the client might take it for a notification, and say nothing.
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

  /** The answer to the last submission as it came, when the send ended with what it says. */
  answerOf(outcome: unknown): ForwardedResponse | undefined {
    const isOwnId = this.callId !== undefined && this.callId !== null;
    return isOwnId && this.last !== undefined && this.last.outcome === outcome ? this.last.answer : undefined;
  }

  private askToTake(request: ClientRequest, id: RpcId): Promise<ForwardedResponse> {
    // For a private one the client asks its privacy manager: in a batch the later would wait for the earlier.
    return request.method === 'eth_sendRawTransaction'
      ? this.session.askGathered(request, id)
      : this.session.ask(request, id);
  }
}

/** The hash of the transaction, or the error. What answers another request says nothing about this one. */
function readOutcome({ status, body }: ForwardedResponse, id: RpcId): Hash | Error {
  const said = parseNodeAnswer(body);
  if (said.kind === 'unusable' || isOfAnother(said.id, id)) return unusableAnswer();
  if (said.kind === 'error') return new (status === 200 ? ForwardedError : FinalError)(said.error);
  return typeof said.result === 'string' && isHash(said.result) ? parseHash(said.result) : unusableAnswer();
}

/** A client that could not read the id answers under null. */
function isOfAnother(answered: unknown, asked: RpcId): boolean {
  return answered !== undefined && answered !== null && writeJson(answered) !== writeJson(asked);
}
