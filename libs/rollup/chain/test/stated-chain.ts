import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Address } from '@tetrad/types';
import { startChain, type TestChain } from './anvil-chain.js';
import { stateProofs } from './stated-proofs.js';

/** A chain whose verifiers take statements for proofs, for tests of clients, which refuse a contract over other verifiers. */
export interface StatedChain extends TestChain {
  /** Has a verifier of the release take the hash of the public inputs for a proof. Its code at `url` stays that of the release. */
  stateProofs(verifier: Address): Promise<void>;
}

interface Call {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: readonly unknown[];
}

/** The console of a browser asks from the page of an operator. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };

export async function startStatedChain(): Promise<StatedChain> {
  const chain = await startChain();
  const codes = new Map<string, string>();
  const server = createServer((request, response) => {
    // A client that has gone, or a chain that has ended, has no answer.
    answer(chain.url, codes, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...chain,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stateProofs(verifier) {
      codes.set(verifier.toLowerCase(), await chain.ask<string>('eth_getCode', [verifier, 'latest']));
      await stateProofs(chain, verifier);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await chain.stop();
    },
  };
}

/** @param codes - what is shown as the code of an address, in small letters */
async function answer(
  url: string,
  codes: ReadonlyMap<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(204, CORS).end();
  const body = await text(request);
  const shown = shownCode(codes, JSON.parse(body) as Call);
  const headers = { 'content-type': 'application/json' };
  const answered = shown ?? (await (await fetch(url, { method: 'POST', headers, body })).text());
  response.writeHead(200, { ...CORS, ...headers }).end(answered);
}

/** @returns the answer to a question for a code that is shown; undefined for other questions, and for several at once */
function shownCode(codes: ReadonlyMap<string, string>, { id, method, params }: Call): string | undefined {
  if (method !== 'eth_getCode') return undefined;
  const result = codes.get(String(params?.[0]).toLowerCase());
  return result === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result });
}
