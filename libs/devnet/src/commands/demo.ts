import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@tetrad/testkit';
import { steps } from '../demo/steps.js';
import { DemoContext } from '../demo/demo-context.js';
import { parseNetworkOptions } from '../network/network-options.js';
import { startNetwork } from '../network/network.js';
import { writeEndpointsFile } from '../network/endpoints.js';
import { PORTS_PER_NODE } from '../network/ports.js';

/** Nodes for which there are ports: the usual four, and those that join. */
const MAX_DEMO_NODES = 8;

/** Starts a network, walks through its main job, and says after each step what it proved. */
export async function demo(args: readonly string[]): Promise<number> {
  const keep = args.includes('--keep');
  const rest = args.filter((arg) => arg !== '--keep');
  const ownFolder = rest.includes('--data-dir') ? undefined : await mkdtemp(join(tmpdir(), 'tetrad-demo-'));
  const folder = ownFolder === undefined ? [] : ['--data-dir', ownFolder];
  const ports =
    rest.includes('--port-base') || keep
      ? []
      : ['--port-base', String(await freePorts(PORTS_PER_NODE * MAX_DEMO_NODES))];
  const options = parseNetworkOptions([...rest, ...folder, ...ports]);
  const started = performance.now();
  console.log(`Tetrad demo in ${options.dataDir}\n`);
  const network = await startNetwork(options);
  say(1, {
    what: `a chain of ${options.nodes} validators, their PostgreSQL, a signing proxy and a wallet are up`,
    ms: performance.now() - started,
  });
  if (options.endpointsFile !== undefined) await writeEndpointsFile(options.endpointsFile, network.endpoints);

  const context = new DemoContext(network, options);
  let failed = false;
  for (const [index, step] of steps.entries()) {
    const from = performance.now();
    try {
      say(index + 2, { what: await step(context), ms: performance.now() - from });
    } catch (error) {
      failed = true;
      console.error(
        `  ${index + 2}. FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      break;
    }
  }
  console.log(
    failed
      ? `\nThe demo failed; logs are in ${options.dataDir}`
      : `\nAll ${steps.length + 1} steps held, in ${seconds(performance.now() - started)}.`,
  );
  if (keep && !failed) await untilInterrupted();
  await network.stop();
  if (ownFolder !== undefined && !failed) await rm(ownFolder, { recursive: true, force: true });
  return failed ? 1 : 0;
}

function say(number: number, { what, ms }: { what: string; ms: number }): void {
  console.log(`  ${number}. ${what} (${seconds(ms)})`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function untilInterrupted(): Promise<void> {
  console.log('The network stays up; Ctrl-C stops it.');
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
}
