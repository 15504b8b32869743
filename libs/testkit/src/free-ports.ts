import { createServer, type Server } from 'node:net';

/**
 * The range of ports: below those that systems assign to outgoing connections (32768 and up on Linux), which
 * would interfere between the choice of a port and its use; a connection may even get the port that it calls.
 */
const LOWEST = 12_000;
const HIGHEST = 30_000;
/** The first port of a block marks its owner; the others are assigned. */
const BLOCK = 200;
const BLOCKS = (HIGHEST - LOWEST) / BLOCK;

/** A block of ports that belongs to this process while it lives. */
interface Claim {
  next: number;
  readonly end: number;
  /** Listens on the first port of the block: others find it taken, and it is free again whatever ends the process. */
  readonly holder: Server;
}

interface Ports {
  claim: Claim | undefined;
  /** One caller chooses at a time. */
  turn: Promise<unknown>;
}

const PORTS = Symbol.for('tetrad.free-ports');
/**
 * The process keeps its block, and not this module, which each test file of a worker loads anew: a block for each file would use up
 * all of them.
 */
const ports = ((process as { [PORTS]?: Ports })[PORTS] ??= { claim: undefined, turn: Promise.resolve() });

/**
 * The first of so many free loopback ports in a row. No other caller gets them while this process lives.
 * @param count - from 1 to 199
 * @throws Error when no block of ports is free
 */
export function freePorts(count: number): Promise<number> {
  if (count < 1 || count >= BLOCK) return Promise.reject(new RangeError(`${count} ports in a row`));
  const taken = ports.turn.then(() => take(count));
  ports.turn = taken.catch(() => undefined);
  return taken;
}

/** One port, as `freePorts`. */
export function freePort(): Promise<number> {
  return freePorts(1);
}

async function take(count: number): Promise<number> {
  for (let refused = 0; refused <= BLOCKS; refused++) {
    const { claim } = ports;
    const own = claim === undefined || claim.next + count > claim.end ? await claimBlock() : claim;
    ports.claim = own;
    const { next } = own;
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(next + index)));
    const busy = free.lastIndexOf(false);
    own.next = next + (busy === -1 ? count : busy + 1);
    if (busy === -1) return next;
  }
  throw new Error(`no ${count} consecutive free ports`);
}

/** Blocks are tried from a random one on, so that processes that start together seldom meet. */
async function claimBlock(): Promise<Claim> {
  const first = Math.floor(Math.random() * BLOCKS);
  for (let step = 0; step < BLOCKS; step++) {
    const base = LOWEST + ((first + step) % BLOCKS) * BLOCK;
    const holder = await listenOn(base);
    // The claim alone must not keep the process alive.
    if (holder !== undefined) return { next: base + 1, end: base + BLOCK, holder: holder.unref() };
  }
  throw new Error(`every block of ports from ${LOWEST} to ${HIGHEST} is taken`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listenOn(port);
  await new Promise((closed) => (probe === undefined ? closed(undefined) : probe.close(closed)));
  return probe !== undefined;
}

function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => done(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => done(server));
  });
}
