import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** The fault of a link. It applies to existing connections and to new ones. */
export type LinkFault =
  /** Bytes pass. */
  | { readonly kind: 'none' }
  /** Bytes pass later, in their order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Connections stay and nothing passes, as when a cable is pulled; bytes sent meanwhile pass afterwards. */
  | { readonly kind: 'stall' }
  /** Connections are broken, and new ones too. */
  | { readonly kind: 'cut' }
  /** Bytes pass one by one. */
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number };

const PASSING: LinkFault = { kind: 'none' };
/** Polling interval of a link that stalls or trickles. */
const STEP_MS = 20;

/** A TCP link between two services on which tests can inject the faults of a network. */
export class FaultyProxy {
  private fault: LinkFault = PASSING;
  private readonly sockets = new Set<Socket>();
  private passed = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: () => number },
  ) {}

  /**
   * Opens a loopback port that leads to the target.
   * @param target.port - of the target, asked for at each connection
   */
  static async open(target: { readonly host?: string; readonly port: () => number }): Promise<FaultyProxy> {
    const server = createServer({ pauseOnConnect: true });
    const proxy = new FaultyProxy(server, { host: '127.0.0.1', ...target });
    server.on('connection', (socket: Socket) => proxy.pass(socket));
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(0, '127.0.0.1', done);
    });
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that pass now. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  /** Bytes that have passed, in both directions. */
  get bytes(): number {
    return this.passed;
  }

  set(fault: LinkFault): void {
    this.fault = fault;
    if (fault.kind === 'cut') this.breakAll();
  }

  heal(): void {
    this.set(PASSING);
  }

  /** Breaks the existing connections; new ones pass as before. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((done) => this.server.close(() => done()));
    this.breakAll();
    await closed;
  }

  private pass(near: Socket): void {
    if (this.fault.kind === 'cut') {
      near.destroy();
      return;
    }
    const far = connect(this.target.port(), this.target.host);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => this.sockets.delete(one));
      void this.pump(one, other);
    }
  }

  /** Reads only as fast as the fault lets pass, so that nothing is buffered here. */
  private async pump(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) await this.forward(chunk, to);
      to.end();
    } catch {
      // A broken connection breaks both ways; the other side notices as it would without a proxy.
      to.destroy();
    }
  }

  private async forward(chunk: Buffer, to: Socket): Promise<void> {
    const due = Date.now();
    for (let rest = chunk; rest.length > 0;) {
      const { fault } = this;
      if (fault.kind === 'stall') {
        if (to.destroyed) return;
        await pause(STEP_MS);
        continue;
      }
      const isTrickle = fault.kind === 'trickle';
      const size = isTrickle
        ? Math.max(1, Math.round((fault.bytesPerSecond * STEP_MS) / 1_000))
        : rest.length;
      if (isTrickle) await pause(STEP_MS);
      if (fault.kind === 'delay') await pause(due + fault.ms - Date.now());
      this.passed += Math.min(size, rest.length);
      await write(to, rest.subarray(0, size));
      rest = rest.subarray(size);
    }
  }
}

function write(to: Socket, bytes: Buffer): Promise<void> {
  return new Promise((done, fail) => to.write(bytes, (error) => (error ? fail(error) : done())));
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(0, ms)));
}
