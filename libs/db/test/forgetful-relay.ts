import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP link that can forget its connections, as a firewall does: they stay open, and nothing passes any more. */
export class ForgetfulRelay {
  private readonly sockets = new Set<Socket>();
  private readonly forgotten = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {}

  /** Opens a loopback port that leads to the server of the URL. */
  static async open(url: string): Promise<ForgetfulRelay> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const relay = new ForgetfulRelay(server, { host: hostname, port: Number(port) });
    server.on('connection', (near: Socket) => relay.pass(near));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return relay;
  }

  /** The URL with this link in the place of its server. */
  through(url: string): string {
    const relayed = new URL(url);
    relayed.hostname = '127.0.0.1';
    relayed.port = String((this.server.address() as AddressInfo).port);
    return relayed.href;
  }

  /** From now on nothing passes on the connections that exist; new ones are served. */
  forget(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.on('data', () => undefined);
      // Neither does an end.
      socket.removeAllListeners('end');
      this.forgotten.add(socket);
    }
    this.sockets.clear();
  }

  close(): void {
    this.server.close();
    for (const socket of [...this.sockets, ...this.forgotten]) socket.destroy();
  }

  private pass(near: Socket): void {
    const far = connect(this.target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        if (this.sockets.delete(from)) to.destroy();
      });
      from.pipe(to);
    }
  }
}
