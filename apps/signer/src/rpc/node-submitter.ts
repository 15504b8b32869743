import { RelayedError, type CallContext } from '@tetrad/rpc';
import { parseNodeAnswer, unusableAnswer, type ClientSession } from '@tetrad/signer-downstream';
import type { ClientCall, Submitter } from '@tetrad/signer-transactions';
import { hexFromBytes, isHash, parseHash, type Hash } from '@tetrad/types';

/** Submits for one request of a caller, who gets the Ethereum client's answer as it comes. */
export class NodeSubmitter implements Submitter<Hash> {
  constructor(
    private readonly session: ClientSession,
    private readonly context: CallContext,
  ) {}

  quantity({ method, params }: ClientCall): Promise<bigint> {
    return this.session.quantity(method, params);
  }

  async submit(method: string, raw: Uint8Array): Promise<Hash> {
    const { callId } = this.context;
    // Under a null id the client might take it for a notification, and say nothing.
    const answer = await this.session.ask(method, { params: [hexFromBytes(raw)], id: callId ?? 0 });
    if (callId !== undefined && callId !== null) this.context.relay?.(answer);
    const said = parseNodeAnswer(answer.body);
    if (said.kind === 'error') throw new RelayedError(said.error);
    if (said.kind === 'unusable' || typeof said.result !== 'string' || !isHash(said.result))
      throw unusableAnswer();
    return parseHash(said.result);
  }
}
