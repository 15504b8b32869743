import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Passes connections on to a port of this host, unless it is cut. */
export async function startRelay(port: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const onward = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUsed: () => sockets.size > 0,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    open: () => (isCut = false),
    close: () => new Promise((done) => server.close(done)),
  };
}
