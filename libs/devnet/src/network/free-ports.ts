import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, which would come in between. */
const LOWEST = 12_000;
const HIGHEST = 30_000;

/** The first of so many free loopback ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const base = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST - count));
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(base + index)));
    if (free.every((one) => one)) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
}
