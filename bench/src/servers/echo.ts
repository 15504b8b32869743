import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The upper limit of JSON-RPC over HTTP: a bare server that parses a body and echoes its id. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: 'echo' });
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
