import { RequestError } from '@tetrad/types';
import {
  DEFAULT_ANSWER_BYTES,
  HeldBytes,
  answerBatch,
  tooLarge,
  type AnswerLimits,
  type WrittenAnswer,
} from './answer-batch.js';
import type { Caller } from './caller.js';
import type { DispatcherLimits, RpcResponse } from './dispatcher.js';
import { idOf, isObject } from './envelope.js';
import type { FairTurns } from './fair-turns.js';
import { writeJson } from './json-text.js';
import { readJson } from './json.js';
import { isLong, writeJsonInPieces } from './long-values.js';
import type { MethodCalls } from './method-calls.js';
import { FramingError } from './rpc-error.js';

/** Bodies of more bytes are read in a turn of the event loop that has time for it. */
const LARGE_BODY = 16_384;

/** Answers bodies, of one request or a batch, within the limits of a dispatcher. */
export class BodyAnswers {
  private readonly limits: AnswerLimits & Pick<DispatcherLimits, 'batch' | 'depth'>;
  private readonly held: HeldBytes;

  constructor(
    private readonly calls: MethodCalls,
    limits: DispatcherLimits,
    private readonly turns: FairTurns,
  ) {
    const { answerBytes = DEFAULT_ANSWER_BYTES, batchAnswerBytes = DEFAULT_ANSWER_BYTES } = limits;
    this.limits = { ...limits, answerBytes, batchAnswerBytes };
    this.held = HeldBytes.ofBatches(batchAnswerBytes);
  }

  async handle(body: Uint8Array | string, caller: Caller): Promise<string | undefined> {
    let parsed: unknown;
    try {
      if (body.length > LARGE_BODY) await this.turns.next(caller);
      parsed = readJson(body, this.limits.depth);
      return Array.isArray(parsed)
        ? await this.answerBatch(parsed, caller)
        : (await this.answerText(parsed, caller))?.text;
    } catch (error) {
      return writeJson(this.calls.reject(idOf(parsed), error).response);
    }
  }

  /** The answer to one request; undefined to a notification. */
  private async answerText(wire: unknown, caller: Caller): Promise<WrittenAnswer | undefined> {
    const { response, error: thrown } = await this.calls.answer(wire, caller);
    if (response === undefined) return undefined;
    const { answerBytes } = this.limits;
    const spent = isTooLarge(thrown) ? answerBytes : 0;
    const refuse = (error: unknown, bytes: number): WrittenAnswer => ({
      text: writeJson(this.calls.reject(response.id, error).response),
      bytes,
    });
    try {
      const text = isLong(response) ? await this.writeInPieces(response, caller) : writeJson(response);
      const bytes = Buffer.byteLength(text);
      return bytes <= answerBytes
        ? { text, bytes: Math.max(bytes, spent) }
        : refuse(tooLarge(answerBytes), bytes);
    } catch (error) {
      return refuse(isTooLongForText(error) ? tooLarge(answerBytes) : error, answerBytes);
    }
  }

  /** @throws RequestError RESPONSE_TOO_LARGE, perhaps before the whole answer is written */
  private writeInPieces(response: RpcResponse, caller: Caller): Promise<string> {
    const { answerBytes } = this.limits;
    return writeJsonInPieces(response, {
      most: answerBytes,
      tooLong: () => tooLarge(answerBytes),
      giveWay: () => this.turns.next(caller),
    });
  }

  private answerBatch(batch: readonly unknown[], caller: Caller): Promise<string | undefined> {
    const { batch: most } = this.limits;
    if (batch.length === 0) throw new FramingError('INVALID_REQUEST', 'invalid request: empty batch');
    if (batch.length > most) {
      const problem = `invalid request: batch of ${batch.length} calls, the limit is ${most}`;
      throw new FramingError('INVALID_REQUEST', problem);
    }
    return answerBatch(batch, caller, {
      limits: this.limits,
      held: this.held,
      isSmall: (wire) => this.calls.isSmall(wire),
      answer: (wire, sender) => this.answerText(wire, sender),
      refuse: (wire, error) =>
        isObject(wire) && wire['id'] === undefined
          ? undefined
          : writeJson(this.calls.reject(idOf(wire), error).response),
    });
  }
}

/** Whether the handler has found that its answer would be too large. */
function isTooLarge(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'RESPONSE_TOO_LARGE';
}

/** V8's error for a string beyond its maximum length. */
function isTooLongForText(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Invalid string length';
}
