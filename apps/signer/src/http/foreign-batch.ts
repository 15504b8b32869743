import { writeJson } from '@tetrad/rpc';
import { readAnswerBody, toNodeAnswer, unusableAnswer, type ClientSession } from '@tetrad/signer-downstream';
import type { ReadRequest } from './local-request.js';

/** The answer to one request of a batch: an object to forward, an error to present, or nothing. */
export type ForeignAnswer = { readonly object: unknown } | { readonly error: unknown } | undefined;

/**
 * Has the Ethereum client answer the requests of a batch that are not the proxy's own, all in one batch.
 * @returns per request its answer, as it came; nothing for notifications
 */
export async function answerForeign(
  requests: readonly ReadRequest[],
  session: ClientSession,
): Promise<readonly ForeignAnswer[]> {
  if (requests.length === 0) return [];
  try {
    const { body } = await session.askBatch(requests);
    return match(requests, readAnswerBody(body));
  } catch (error) {
    return requests.map(({ id }) => (id === undefined ? undefined : { error }));
  }
}

/** By id; requests that share an id get the answers in the order in which they came. */
function match(requests: readonly ReadRequest[], answer: unknown): readonly ForeignAnswer[] {
  const answers = new Map<string, unknown[]>();
  for (const one of Array.isArray(answer) ? answer : []) {
    const read = toNodeAnswer(one);
    if (read.kind !== 'unusable') push(answers, writeJson(read.id ?? null), one);
  }
  const rejection = rejectionOfAll(answer);
  return requests.map(({ id }) => {
    if (id === undefined) return undefined;
    const object = answers.get(writeJson(id))?.shift();
    if (object !== undefined) return { object };
    return rejection === undefined
      ? { error: unusableAnswer() }
      : { object: { jsonrpc: '2.0', id, error: rejection } };
  });
}

/** A client that does not take the batch answers with one error. */
function rejectionOfAll(answer: unknown): unknown {
  const read = Array.isArray(answer) ? undefined : toNodeAnswer(answer);
  return read?.kind === 'error' ? read.error : undefined;
}

function push(map: Map<string, unknown[]>, key: string, value: unknown): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
