import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { claimPorts } from './claim-ports.js';
import { parseNetworkOptions } from './network-options.js';

it('a port that an outgoing connection has is waited for', async () => {
  const served: Socket[] = [];
  const server = createServer((socket) => served.push(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  // The system chooses its port, as it does for any program.
  const outgoing = connect({ port, host: '127.0.0.1' });
  await new Promise((done) => outgoing.once('connect', done));
  await until(() => served.length === 1);
  const base = outgoing.localPort ?? 0;
  const words = ['--nodes', '1', '--services', 'node', '--data-dir', '/nowhere', '--port-base', String(base)];
  const said: string[] = [];
  const claiming = claimPorts(parseNetworkOptions(words), (what) => said.push(what));
  const outcome = claiming.then(
    () => '',
    (error: Error) => error.message,
  );
  await until(() =>
    said.some((line) => line.startsWith(`port ${base} (node0, JSON-RPC) is that of an outgoing`)),
  );
  // The side that ends a connection first keeps its port for a minute.
  served[0]?.end();
  // Other ports may be those of other programs.
  expect(await outcome).not.toContain(`${base} (`);
  await new Promise((done) => server.close(done));
});
