import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { callRpc } from '../call-rpc.js';

const READ_TOGETHER = 100;

/**
 * Writes the blocks of a node as `geth export` does.
 *
 * @param url - JSON-RPC of the node
 * @param file - is overwritten
 * @returns the number of the newest block in it
 */
export async function exportChain(url: string, file: string): Promise<number> {
  const head = Number(await callRpc(url, 'eth_blockNumber', []));
  const out = createWriteStream(file);
  for (let from = 0; from <= head; from += READ_TOGETHER) {
    const numbers = Array.from({ length: Math.min(READ_TOGETHER, head + 1 - from) }, (_, at) => from + at);
    const raws = await Promise.all(
      numbers.map((number) => callRpc(url, 'debug_getRawBlock', [`0x${number.toString(16)}`])),
    );
    for (const raw of raws) out.write(Buffer.from(String(raw).slice(2), 'hex'));
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  await new Promise<void>((done) => out.end(done));
  return head;
}
