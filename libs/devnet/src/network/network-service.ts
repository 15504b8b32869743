import type { Endpoints } from './endpoints.js';
import type { DatabaseServer } from './network-databases.js';
import type { NetworkFiles } from './network-files.js';
import type { NetworkOptions } from './network-options.js';
import type { ServiceProcess } from './service-process.js';

/** The shared parts from which the services of a network are started. */
export interface NetworkBase {
  readonly options: NetworkOptions;
  readonly files: NetworkFiles;
  readonly databases: DatabaseServer;
  readonly links: NetworkLinks;
  /** Client URLs of the cluster that orders blocks; undefined under validators. */
  readonly etcdEndpoints: readonly string[] | undefined;
  /** A service ended unexpectedly. */
  readonly onEnded: ((service: string, how: string) => void) | undefined;
}

/** How nodes reach each other when links replace their own ports, and which programs are run. */
export interface NetworkLinks {
  /** The port under which one node reaches another. */
  readonly linkPort?: (from: number, to: number) => number;
  /** The port under which the other managers reach that of a node. */
  readonly managerPort?: (index: number) => number;
  /** Root of a repository with the bundles of all services; this one without it. */
  readonly programs?: string;
}

/** A port that the network is going to use. */
export interface WantedPort {
  readonly port: number;
  readonly use: string;
}

/** A row of the output of `up`: name and address. */
export type DescribedRow = readonly [what: string, where: string];

export interface StartOptions {
  /** Called with each step of the start; in words for people. */
  readonly onProgress: (what: string) => void;
  /** Aborts the start. */
  readonly signal: AbortSignal | undefined;
}

/** A service that a network may have: one process of it, or one for each node. */
export interface NetworkService<Process extends ServiceProcess = ServiceProcess> {
  /** The ports that its processes listen on. */
  ports(options: NetworkOptions): readonly WantedPort[];
  /** Names of the databases of its processes. */
  databases(options: NetworkOptions): readonly string[];
  /** Makes the keys that its processes lack, while the database server starts. */
  prepare?(files: NetworkFiles): Promise<void>;
  /**
   * Creates files and contracts for its processes, in the order of their nodes; starts none.
   * @param describeStarted - the endpoints of the services that run already
   * @throws with the reason of the signal
   */
  open(
    base: NetworkBase,
    start: StartOptions,
    describeStarted: () => Promise<Partial<Endpoints>>,
  ): Promise<readonly Process[]>;
  /**
   * Runs once all its processes are ready, before the next service.
   * @throws with the reason of the signal
   */
  settle?(processes: readonly Process[], base: NetworkBase, start: StartOptions): Promise<void>;
  /** Runs once all its processes are ready, while later services start; the network is up when it has ended. */
  join?(processes: readonly Process[], start: StartOptions): Promise<void>;
  /** Its part of the endpoints file. */
  endpoints(processes: readonly Process[], base: NetworkBase): Promise<Partial<Endpoints>>;
  /** Its rows in the output of `up`. */
  rows(endpoints: Endpoints): readonly DescribedRow[];
}

/**
 * Ports of one process.
 * @param ports - the purpose of each, and its number
 */
export function wantedPorts(service: string, ports: Readonly<Record<string, number>>): WantedPort[] {
  return Object.entries(ports).map(([use, port]) => ({ port, use: `${service}, ${use}` }));
}
