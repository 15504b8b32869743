import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The lower limit of a list: a bare server that reads rows out of a map, in a file at first, and writes them as JSON. */
const rows = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as readonly unknown[];
const kept = new Map(rows.map((row, index) => [index, row]));
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: [...kept.values()] });
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
      .end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
