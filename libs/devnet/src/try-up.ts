import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@tetrad/testkit';
import { callRpc } from './demo/call-rpc.js';
import { eventually } from './demo/eventually.js';
import type { Endpoints } from './network/endpoints.js';
import { PORTS_PER_NODE } from './network/ports.js';
import { ROOT } from './paths.js';

// Starts `./tetrad up` with this version of Node.js, sends one transaction through the signer, looks for it on every
// node, and stops the network: .ci/run does this for each recommended version.

const NODES = 4;

const folder = await mkdtemp(join(tmpdir(), 'tetrad-try-'));
try {
  await tryUp(join(folder, 'endpoints.json'));
  console.log(`node ${process.version}: ./tetrad up, one transaction on ${NODES} nodes, and a stop in order`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tryUp(endpointsFile: string): Promise<void> {
  const ports = String(await freePorts(NODES * PORTS_PER_NODE));
  const options = ['--nodes', String(NODES), '--data-dir', join(folder, 'data'), '--port-base', ports];
  const child = spawn(`${ROOT}tetrad`, ['up', ...options, '--endpoints-file', endpointsFile], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  let over = false;
  void ended.then(() => (over = true));
  await eventually('the network is not ready', async () => over || existsSync(endpointsFile));
  if (over) throw new Error('./tetrad up ended before it was ready');
  try {
    await sendOne(JSON.parse(await readFile(endpointsFile, 'utf8')) as Endpoints);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
  const code = await ended;
  if (code !== 0) throw new Error(`./tetrad up ended with code ${code}`);
  if (existsSync(endpointsFile)) throw new Error('./tetrad up left its endpoints file behind');
}

async function sendOne({ nodes, signer, funded }: Endpoints): Promise<void> {
  if (signer === null) throw new Error('the network has no signer');
  const version = String(await callRpc(nodes[0]?.rpc ?? '', 'web3_clientVersion', []));
  if (!version.endsWith(`/node${process.versions.node}`)) {
    throw new Error(`the node runs ${version}, not Node.js ${process.versions.node}`);
  }
  const transaction = {
    from: signer.address,
    to: funded[0]?.address,
    value: '0x1',
    gas: '0x5208',
    gasPrice: '0x0',
  };
  const hash = await callRpc(signer.rpc, 'eth_sendTransaction', [transaction]);
  for (const { name, rpc } of nodes) {
    await eventually(`${name} has no receipt of ${hash}`, async () => {
      const receipt = await callRpc(rpc, 'eth_getTransactionReceipt', [hash]);
      return (receipt as { readonly status?: unknown } | null)?.status === '0x1';
    });
  }
}
