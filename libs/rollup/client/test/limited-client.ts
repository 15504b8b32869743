import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestChain } from '../../chain/test/anvil-chain.js';
import { connectEthereum } from '../src/index.js';

/** A client of a chain that gives the events of three blocks at most, as providers with limits do. */
export class LimitedClient {
  /** Ranges of blocks whose events were requested. */
  readonly asked: { readonly fromBlock: number; readonly toBlock: number }[] = [];
  /** What becomes of the answers before they are given. */
  change: (logs: { address: string; topics: string[] }[]) => unknown[] = (logs) => logs;

  private constructor(private readonly chain: TestChain) {}

  /** @returns the client, its connection, and what ends both */
  static async open(chain: TestChain) {
    const limited = new LimitedClient(chain);
    const server = createServer((request, response) => void limited.answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const client = connectEthereum(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const close = async () => {
      await client.close();
      await new Promise((done) => server.close(done));
    };
    return { limits: limited, client, close };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number;
      method: string;
      params: { fromBlock: string; toBlock: string }[];
    };
    const [filter] = params;
    const blocks = { fromBlock: Number(filter?.fromBlock ?? 0), toBlock: Number(filter?.toBlock ?? 0) };
    const isTooMuch = method === 'eth_getLogs' && blocks.toBlock - blocks.fromBlock >= 3;
    if (method === 'eth_getLogs') this.asked.push(blocks);
    const answer = isTooMuch
      ? { error: { code: -32005, message: 'query returned more than 10000 results' } }
      : { result: this.change(await this.chain.ask(method, params)) };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
}
