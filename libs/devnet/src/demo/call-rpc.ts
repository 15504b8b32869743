interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** One JSON-RPC call. Fails with the error's message. */
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
  const { result, error } = (await response.json()) as Answer;
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
