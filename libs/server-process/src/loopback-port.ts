import { createServer } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago, from the system; undefined when all are taken. */
export function freeLoopbackPort(): Promise<number | undefined> {
  return probe(0);
}

/** Whether a server could listen on the port of 127.0.0.1 a moment ago. */
export async function isLoopbackPortFree(port: number): Promise<boolean> {
  return (await probe(port)) !== undefined;
}

function probe(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(address !== null && typeof address === 'object' ? address.port : undefined));
    });
  });
}
