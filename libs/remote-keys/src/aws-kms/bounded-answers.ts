import { Readable, Transform, pipeline } from 'node:stream';

/** A page of a hundred secrets with fifty tags each has two megabytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Where in a client of the SDK `boundedAnswers` belongs: next to the connection. */
export const BOUNDED_ANSWERS = { step: 'deserialize', priority: 'low', name: 'boundedAnswers' } as const;

/**
 * Middleware of a client of the SDK: ends an answer of more than 8 MiB, which the SDK would read into memory whole.
 *
 * @param next - gives the answer, of which nothing was read yet
 */
export function boundedAnswers<Next extends (args: never) => Promise<{ readonly response: unknown }>>(
  next: Next,
): Next {
  const bound = async (args: never) => {
    const result = await next(args);
    const response = result.response as { body?: unknown };
    if (response.body instanceof Readable) response.body = bounded(response.body);
    return result;
  };
  return bound as Next;
}

function bounded(body: Readable): Readable {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER_BYTES) return done(null, chunk);
      done(new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`));
    },
  });
  // The reader of the counter gets the error.
  return pipeline(body, counter, () => undefined);
}
