import type { ServerResponse } from 'node:http';

/**
 * Calls the listener once when the response is sent, or its connection closed; at once when it is closed already, of
 * which Node.js says nothing more. A pipelined response that waits for those before it has no connection yet, and
 * Node.js never says of it that it is closed when the client leaves meanwhile.
 *
 * @param response - in any state
 * @param listener - called once
 */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) return listener();
  const { socket } = response.req;
  if (response.socket !== null) return void response.once('close', listener);
  const close = () => {
    response.off('close', close);
    socket.off('close', close);
    listener();
  };
  // One listener for each response that waits.
  socket.setMaxListeners(0);
  response.once('close', close);
  if (socket.destroyed) close();
  else socket.once('close', close);
}
