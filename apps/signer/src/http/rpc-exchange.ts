import type { ServerResponse } from 'node:http';
import {
  FramingError,
  HeldBytes,
  answerBatch,
  assertPermitted,
  isObject,
  readJson,
  toErrorObject,
  writeJson,
  type AnswerLimits,
  type Caller,
  type Dispatcher,
  type RpcErrorObject,
  type WrittenAnswer,
} from '@tetrad/rpc';
import type { DownstreamClient, ForwardedRequest, ForwardedResponse } from '@tetrad/signer-downstream';
import { RequestError, type Logger } from '@tetrad/types';
import type { AnswerSender } from './answer-sender.js';
import { answerStatus } from './answer-status.js';
import { answerForeign, type ForeignAnswer } from './foreign-batch.js';
import { readRequest, toRpcRequest, type ReadRequest } from './local-request.js';
import { presentError } from './present-error.js';

export interface RpcExchangeParts {
  readonly dispatcher: Dispatcher;
  readonly downstream: DownstreamClient;
  readonly limits: AnswerLimits & { readonly batch: number; readonly depth: number };
  /** Called for every body that is not JSON-RPC. */
  readonly onMalformed: () => void;
  readonly logger: Logger;
}

/** A JSON-RPC body and its caller. */
export interface Exchange {
  readonly request: ForwardedRequest;
  readonly caller: Caller;
  readonly response: ServerResponse;
  readonly sender: AnswerSender;
}

/** One member of a batch after it was read. */
type Member =
  | { readonly kind: 'own'; readonly request: ReadRequest }
  | { readonly kind: 'foreign'; readonly request: ReadRequest }
  | { readonly kind: 'refused'; readonly id: unknown; readonly error: unknown };

/** Answers JSON-RPC: the proxy's own methods here, everything else by the Ethereum client. */
export class RpcExchange {
  private readonly held: HeldBytes;

  constructor(private readonly parts: RpcExchangeParts) {
    this.held = HeldBytes.ofBatches(parts.limits.batchAnswerBytes);
  }

  /** Never rejects. */
  async answer(exchange: Exchange): Promise<void> {
    let id: unknown;
    try {
      const wire = readJson(exchange.request.body, this.parts.limits.depth);
      if (Array.isArray(wire)) return await this.answerBatch(wire, exchange);
      const request = readRequest(wire);
      id = request['id'];
      await this.answerOne(request, exchange);
    } catch (error) {
      if (error instanceof FramingError && error.code === 'PARSE_ERROR') this.parts.onMalformed();
      const answer = { jsonrpc: '2.0', id: id ?? null, error: this.errorObject(error) };
      exchange.sender.json(exchange.response, answerStatus(error), answer);
    }
  }

  private async answerOne(request: ReadRequest, exchange: Exchange): Promise<void> {
    const { caller, response, sender } = exchange;
    if (!this.parts.dispatcher.serves(request.method)) {
      assertPermitted(caller, request.method);
      return sender.forwarded(response, await this.parts.downstream.forward(exchange.request));
    }
    // EthSigner answers requests without an id too.
    const wire = { ...toRpcRequest(request), id: request['id'] ?? null };
    const { response: answer, error, forwarded } = await this.parts.dispatcher.answer(wire, caller);
    if (forwarded === undefined) sender.json(response, answerStatus(error, request.method), answer);
    else sender.forwarded(response, forwarded as ForwardedResponse);
  }

  private async answerBatch(batch: readonly unknown[], exchange: Exchange): Promise<void> {
    const { limits, downstream } = this.parts;
    if (batch.length === 0) throw new FramingError('INVALID_REQUEST', 'empty batch');
    if (batch.length > limits.batch) {
      throw new FramingError(
        'INVALID_REQUEST',
        `batch of ${batch.length} calls, the limit is ${limits.batch}`,
      );
    }
    const members = batch.map((wire, index) => this.readMember(wire, index, exchange.caller));
    if (members.every(({ kind }) => kind === 'foreign')) {
      return exchange.sender.forwarded(exchange.response, await downstream.forward(exchange.request));
    }
    const answers = await this.answerMembers(members, exchange);
    if (answers === undefined) exchange.sender.status(exchange.response, 204);
    else exchange.sender.jsonText(exchange.response, 200, answers);
  }

  /** The transport has counted the body as one call. */
  private readMember(wire: unknown, index: number, caller: Caller): Member {
    if (index === 0 || caller.admits?.() !== false) return this.read(wire, caller);
    const error = new RequestError('RATE_LIMITED', 'too many requests');
    return { kind: 'refused', id: isObject(wire) ? wire['id'] : null, error };
  }

  private read(wire: unknown, caller: Caller): Member {
    try {
      const request = readRequest(wire);
      if (this.parts.dispatcher.serves(request.method)) return { kind: 'own', request };
      assertPermitted(caller, request.method);
      return { kind: 'foreign', request };
    } catch (error) {
      const isMalformed = error instanceof FramingError;
      return {
        kind: 'refused',
        id: isMalformed || !isObject(wire) ? null : wire['id'],
        error: isMalformed ? new FramingError('INVALID_REQUEST', error.message) : error,
      };
    }
  }

  /** @returns the JSON of all answers, within the limits of a batch; undefined without any */
  private answerMembers(
    members: readonly Member[],
    { request, caller }: Exchange,
  ): Promise<string | undefined> {
    const { dispatcher, downstream, limits } = this.parts;
    const foreign = members.filter((member) => member.kind === 'foreign');
    const session = downstream.onBehalfOf(request.headers);
    const requests = foreign.map((member) => member.request);
    const answers = answerForeign(requests, session);
    const answer = async (member: Member, sender: Caller): Promise<unknown> => {
      if (member.kind === 'own')
        return (await dispatcher.answer(toRpcRequest(member.request), sender)).response;
      if (member.kind === 'foreign')
        return this.memberAnswer(member.request['id'], (await answers)[foreign.indexOf(member)]);
      return member.id === undefined ? undefined : this.memberAnswer(member.id, { error: member.error });
    };
    return answerBatch(members, caller, {
      limits,
      held: this.held,
      isCounted: true,
      isSmall: (member) => member.kind !== 'own' || dispatcher.isSmall(member.request),
      answer: async (member, sender) => written(await answer(member, sender)),
      refuse: (member, error) => {
        const id = member.kind === 'refused' ? member.id : member.request['id'];
        return id === undefined ? undefined : writeJson(this.memberAnswer(id, { error }));
      },
    });
  }

  private memberAnswer(id: unknown, answer: ForeignAnswer): unknown {
    if (answer === undefined || 'object' in answer) return answer?.object;
    return { jsonrpc: '2.0', id, error: this.errorObject(answer.error) };
  }

  private errorObject(error: unknown): RpcErrorObject {
    const expected = toErrorObject(error);
    if (expected === undefined) this.parts.logger.error('request failed', { error });
    return presentError(expected ?? { code: -32603, message: '' }, error);
  }
}

function written(answer: unknown): WrittenAnswer | undefined {
  if (answer === undefined) return undefined;
  const text = writeJson(answer);
  return { text, bytes: Buffer.byteLength(text) };
}
