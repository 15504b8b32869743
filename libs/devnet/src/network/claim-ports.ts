import { createServer } from 'node:net';
import { serviceMain } from '../paths.js';
import type { NetworkOptions } from './network-options.js';
import { findPortHolder, type PortHolder } from './port-holder.js';
import { describeOverlap, outgoingPorts } from './outgoing-ports.js';
import type { WantedPort } from './network-service.js';
import { networkServices } from './service-list.js';
import { NETWORK_SERVICES } from './service-names.js';

const ENDING_MS = 10_000;
/** An ended connection keeps its port for a minute. */
const CONNECTION_MS = 65_000;
const LOOK_AGAIN_MS = 50;
const LONGEST_COMMAND = 80;

/**
 * Checks that every port of the network is free. Processes of the same data folder that a killed run left behind are
 * ended; this process holds the folder's lock, so no other uses them.
 * @throws Error that names every port in use, what for, and by whom
 */
export async function claimPorts(options: NetworkOptions, say: (what: string) => void): Promise<void> {
  const wantedPorts = portsOf(options);
  const overlap = describeOverlap(
    wantedPorts.map(({ port }) => port),
    await outgoingPorts(),
  );
  if (overlap !== undefined) say(overlap);
  const problems: string[] = [];
  for (const wanted of wantedPorts) {
    if (await isFree(wanted.port)) continue;
    const holder = await findPortHolder(wanted.port);
    if (holder === undefined && (await outlives(wanted, say))) continue;
    if (holder !== undefined && isLeftover(holder, options) && (await end(holder, wanted.port))) {
      say(`ended process ${holder.pid}, left over from an earlier run`);
    } else {
      problems.push(`${wanted.port} (${wanted.use})${describe(holder)}`);
    }
  }
  if (problems.length === 0) return;
  const which = problems.length === 1 ? 'a port is in use' : `${problems.length} ports are in use`;
  throw new Error(
    `${which}: ${problems.join('; ')}. Stop what uses them, or choose others with --port-base P`,
  );
}

function portsOf(options: NetworkOptions): WantedPort[] {
  return NETWORK_SERVICES.filter((name) => options.services.includes(name)).flatMap((name) =>
    networkServices[name].ports(options),
  );
}

function describe(holder: PortHolder | undefined): string {
  return holder === undefined
    ? ''
    : ` by process ${holder.pid} (${holder.commandLine.slice(0, LONGEST_COMMAND)})`;
}

/** Services of a network are started with the data folder on their command line. */
function isLeftover({ commandLine }: PortHolder, { dataDir }: NetworkOptions): boolean {
  const isService = NETWORK_SERVICES.some((name) => commandLine.includes(`/${serviceMain(name, '')} `));
  return isService && commandLine.includes(`${dataDir}/`);
}

async function end({ pid }: PortHolder, port: number): Promise<boolean> {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime, or belongs to another program: the port shows which.
  }
  return getsFree(port, ENDING_MS);
}

/** Waits for a port on which no program listens: an outgoing connection has it, or one that has just ended. */
function outlives({ port, use }: WantedPort, say: (what: string) => void): Promise<boolean> {
  say(`port ${port} (${use}) is that of an outgoing connection; waiting for its end, at most a minute`);
  return getsFree(port, CONNECTION_MS);
}

async function getsFree(port: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline;) {
    if (await isFree(port)) return true;
    await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
  }
  return false;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(true)));
  });
}
