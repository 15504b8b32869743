import { runLoad } from '@tetrad/testkit';

/** One JSON-RPC call. Fails with the error's message. */
export async function callRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const [outcome] = await runLoad([params], { url, connections: 1, method });
  const problem = outcome?.error?.message ?? outcome?.lost;
  if (problem !== undefined) throw new Error(`${method}: ${problem}`);
  return outcome?.result;
}
