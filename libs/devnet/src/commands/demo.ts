import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TraceCollector } from '@tetrad/service/trace-collector';
import { freePorts } from '@tetrad/testkit';
import { steps } from '../demo/steps.js';
import { DemoContext } from '../demo/demo-context.js';
import { parseNetworkOptions, type NetworkOptions } from '../network/network-options.js';
import { startNetwork } from '../network/network.js';
import { PORTS_PER_NODE } from '../network/ports.js';
import { UsageError } from '../usage-error.js';
import { describeNetwork } from './describe-network.js';
import { aborted, exitCodeOf, listenForInterruption } from './interruption.js';
import { sayProgress } from './say-progress.js';

/** Nodes that have ports: the usual four, and those that join. */
const MAX_DEMO_NODES = 8;
/** Traces cost the services time, and thousands of transfers are sent. */
const TRACED_FRACTION = '0.005';

/** Starts a network, runs the steps, and prints after each what it showed. */
export async function demo(args: readonly string[]): Promise<number> {
  const interrupted = listenForInterruption();
  const keep = args.includes('--keep');
  const rest = args.filter((arg) => arg !== '--keep');
  // Invalid options are reported before a folder is created.
  const { permissioned, consensus } = parseNetworkOptions(rest);
  if (consensus === 'raft')
    throw new UsageError(
      '--consensus raft: the demo shows votes of validators, and raft in a step of its own; try it with up',
    );
  if (permissioned)
    throw new UsageError('--permissioned: the demo makes accounts that are in no org; try it with up');
  const ownFolder = rest.includes('--data-dir') ? undefined : await mkdtemp(join(tmpdir(), 'tetrad-demo-'));
  const folder = ownFolder === undefined ? [] : ['--data-dir', ownFolder];
  const ports =
    rest.includes('--port-base') || keep
      ? []
      : ['--port-base', String(await freePorts(PORTS_PER_NODE * MAX_DEMO_NODES))];
  const options = parseNetworkOptions([...rest, ...folder, ...ports]);
  try {
    const held = await runDemo(options, { keep, interrupted });
    if (held && ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true });
    return held ? 0 : 1;
  } catch (error) {
    // At a terminal Ctrl-C reaches the services as well: later failures are caused by it.
    if (!interrupted.aborted) throw error;
    console.log(`\ninterrupted; what had been started is stopped, and logs are in ${options.dataDir}`);
    return exitCodeOf(interrupted);
  }
}

interface DemoRun {
  readonly keep: boolean;
  readonly interrupted: AbortSignal;
}

/**
 * @returns whether all steps held
 * @throws when the network does not start; with the signal's reason
 */
async function runDemo(options: NetworkOptions, { keep, interrupted }: DemoRun): Promise<boolean> {
  const collector = await TraceCollector.start();
  traceChildren(collector.url);
  try {
    return await runSteps(options, { keep, interrupted, collector });
  } finally {
    await collector.close();
  }
}

async function runSteps(
  options: NetworkOptions,
  { keep, interrupted, collector }: DemoRun & { readonly collector: TraceCollector },
): Promise<boolean> {
  const started = performance.now();
  console.log(`Tetrad demo in ${options.dataDir}\n`);
  const network = await startNetwork(options, { onProgress: sayProgress(), signal: interrupted });
  try {
    say(1, {
      what: `a chain of ${options.nodes} validators, their PostgreSQL, a signing proxy and a wallet are up`,
      ms: performance.now() - started,
    });
    const held = await Promise.race([
      walk(new DemoContext(network, options, collector)),
      failWhenAborted(interrupted),
    ]);
    console.log(
      held === undefined
        ? `\nThe demo failed; logs are in ${options.dataDir}`
        : `\n${countSteps(held, steps.length)}, in ${seconds(performance.now() - started)}.`,
    );
    if (keep && held !== undefined) {
      console.log(
        `\n${describeNetwork(network.endpoints, options)}\n\nThe network stays up; Ctrl-C stops it.`,
      );
      await aborted(interrupted);
    }
    return held !== undefined;
  } finally {
    await network.stop();
  }
}

/** All services started from here on send traces, of a fraction of the load and of what the demo traces itself. */
function traceChildren(url: string): void {
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
  process.env['OTEL_TRACES_SAMPLER_ARG'] = TRACED_FRACTION;
}

/**
 * The last line of the demo, without its time.
 *
 * @param held steps that showed what they are for, without the start of the network
 * @param all how many steps there are, without that one
 */
export function countSteps(held: number, all: number): string {
  if (held === all) return `All ${all + 1} steps held`;
  const skipped = all - held;
  return `${held + 1} steps held, and ${skipped} ${skipped === 1 ? 'was' : 'were'} skipped`;
}

/** @returns how many steps held; undefined when one did not */
async function walk(context: DemoContext): Promise<number | undefined> {
  let held = 0;
  for (const [index, step] of steps.entries()) {
    const from = performance.now();
    try {
      const result = await step(context);
      const isHeld = typeof result === 'string';
      if (isHeld) held += 1;
      const what = isHeld ? result : `SKIPPED, ${result.skipped}`;
      say(index + 2, { what, ms: performance.now() - from });
    } catch (error) {
      const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(`  ${index + 2}. FAILED: ${problem}`);
      return undefined;
    }
  }
  return held;
}

async function failWhenAborted(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw signal.reason;
}

function say(number: number, { what, ms }: { what: string; ms: number }): void {
  console.log(`  ${number}. ${what} (${seconds(ms)})`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
