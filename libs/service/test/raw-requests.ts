import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A request with any headers, which `fetch` would not let through. */
export function send(
  url: string,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: string } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((done, fail) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', fail);
    request.end();
  });
}

/** The server's answer to raw bytes, until it closes the connection. */
export function talk(url: string, bytes: string): Promise<string> {
  return new Promise((done) => {
    const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => done(text));
  });
}

/**
 * A request for a WebSocket.
 * @param headers - further lines, each with its line break
 */
export function upgradeRequest(headers = ''): string {
  return `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`;
}
