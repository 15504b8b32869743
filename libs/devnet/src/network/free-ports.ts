import { createServer } from 'node:net';
import { freePort } from '@tetrad/testkit';

/** The first of so many free loopback ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const base = await freePort();
    if (base + count > 65_000) continue;
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
