import type { Duplex } from 'node:stream';

/**
 * Refuses to open a WebSocket, and closes the connection. It also closes the client's side: the server has no time-out for a
 * connection that asked for an upgrade, and a client that stays would keep it.
 *
 * @param status - code and reason of the HTTP answer, as `404 Not Found`
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  const answer = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  socket.end(answer, () => socket.destroy());
}
