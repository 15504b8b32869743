interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

/** The latest errors that calls got, whole, for the search for secrets. */
export const errorAnswers: string[] = [];
const MAX_ERRORS = 1_000;

/** An error that the service answered; its message has the method before the service's text. */
export class CallRefused extends Error {
  constructor(
    message: string,
    /** `error.data` of the response. */
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'CallRefused';
  }
}

/**
 * One JSON-RPC call.
 * @throws CallRefused
 */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text) as Answer;
  if (error === undefined) return result;
  errorAnswers.push(text);
  if (errorAnswers.length > MAX_ERRORS) errorAnswers.shift();
  throw new CallRefused(`${method}: ${error.message}`, error.data);
}
