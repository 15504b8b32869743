import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { get } from 'node:http';
import { KeptServer, type GuardedProcess } from '@tetrad/server-process';
import type { Logger } from '@tetrad/types';
import { clientUrl, dataFolder, type ClusterRecord, type MemberRecord } from './cluster-file.js';
import { EmbeddedEtcdError } from './embedded-etcd-error.js';
import {
  PortTakenError,
  howItFailed,
  killEtcd,
  signalEtcd,
  startEtcdProcess,
  stopEtcd,
} from './etcd-process.js';
import { endLeftoverOn } from './leftover-member.js';
import { memberArguments, type EtcdLimits } from './member-arguments.js';

const ANSWER_TIMEOUT_MS = 5_000;

/** Whether the member answers and has a quorum; what it says besides is not read. */
export function isHealthy(endpoint: string): Promise<boolean> {
  return new Promise((done) => {
    const request = get(`${endpoint}/health`, { agent: false, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      response.destroy();
      done(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => done(false));
    request.once('close', () => done(false));
  });
}

export interface MemberParts {
  /** Path of the program. */
  readonly etcd: string;
  /** The folder of the cluster. */
  readonly folder: string;
  readonly limits: EtcdLimits;
  /** Whether it is started again when it ends unexpectedly. */
  readonly keep: boolean;
  readonly logger: Logger;
  /** The current members of the cluster. */
  cluster(): ClusterRecord;
}

/** How long another process may use our port: the system also assigns such ports to connections. */
const PORT_PATIENCE_MS = 60_000;
const HEALTHY_TIMEOUT_MS = 180_000;
const LOOK_AGAIN_MS = 50;

/** One etcd of a cluster, with operations on it. */
export class EtcdMember {
  private server: GuardedProcess | undefined;
  private kept: KeptServer | undefined;

  constructor(
    readonly name: string,
    private readonly parts: MemberParts,
  ) {}

  /** `http://127.0.0.1:port`, for clients. */
  get endpoint(): string {
    return clientUrl(this.record);
  }

  /** Whether its process exists, even if it is paused. */
  isRunning(): boolean {
    return this.server?.hasExited() === false;
  }

  /**
   * Starts it on its existing data; resolves when it listens. It answers when there is a quorum: `whenHealthy`.
   * @throws PortTakenError; EmbeddedEtcdError with etcd's own message
   */
  async start(portPatienceMs = PORT_PATIENCE_MS): Promise<void> {
    if (this.isRunning()) return;
    await this.stop();
    this.server = await this.launchPatiently(portPatienceMs);
    const { name, parts } = this;
    const logger = parts.logger.child({ member: name });
    this.kept = new KeptServer(this.server, parts.keep ? () => this.launch() : undefined, {
      onDown: (why) => logger.warn('etcd ended, and is started again', { why }),
      onUp: () => logger.info('etcd is back'),
      onLost: (reason) => logger.error('etcd is not started again', { reason }),
    });
  }

  /** Shuts it down in order (SIGTERM); resolves when it is gone. */
  async stop(): Promise<void> {
    await this.kept?.stop(stopEtcd);
    this.kept = undefined;
  }

  /** SIGKILL; resolves when it is gone. One that is kept up comes back. */
  async kill(): Promise<void> {
    if (this.server !== undefined) await killEtcd(this.server);
  }

  /** SIGSTOP: its connections stay open, and nothing is answered until `resume`. */
  async pause(): Promise<void> {
    if (this.server !== undefined) await signalEtcd(this.server, 'SIGSTOP');
  }

  async resume(): Promise<void> {
    if (this.server !== undefined) await signalEtcd(this.server, 'SIGCONT');
  }

  /**
   * Resolves when it answers, and with a quorum.
   * @throws EmbeddedEtcdError when it has ended, or takes three minutes
   */
  async whenHealthy(): Promise<void> {
    const deadline = Date.now() + HEALTHY_TIMEOUT_MS;
    while (!(await isHealthy(this.endpoint))) {
      const isGone = !this.parts.keep && !this.isRunning();
      if (this.server === undefined || isGone || Date.now() > deadline)
        throw new EmbeddedEtcdError(`${this.name} does not serve: ${await this.howItFailed()}`);
      await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
    }
  }

  private get record(): MemberRecord {
    const record = this.parts.cluster().members.find(({ name }) => name === this.name);
    if (record === undefined) throw new EmbeddedEtcdError(`the cluster has no ${this.name}`);
    return record;
  }

  private get logFile(): string {
    return join(this.parts.folder, this.name, 'etcd.log');
  }

  private async howItFailed(): Promise<string> {
    return this.server === undefined ? 'it was not started' : howItFailed(this.server, this.logFile);
  }

  private async launchPatiently(patienceMs: number): Promise<GuardedProcess> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      try {
        return await this.launch();
      } catch (error) {
        if (!(error instanceof PortTakenError) || Date.now() >= deadline) throw error;
        await new Promise((tick) => setTimeout(tick, LOOK_AGAIN_MS));
      }
    }
  }

  private async launch(): Promise<GuardedProcess> {
    const { etcd, folder, limits } = this.parts;
    const [cluster, member] = [this.parts.cluster(), this.record];
    await mkdir(join(folder, this.name), { recursive: true });
    await endLeftoverOn(dataFolder(folder, member));
    this.server = await startEtcdProcess({
      name: this.name,
      program: etcd,
      logFile: this.logFile,
      clientPort: member.clientPort,
      peerPort: member.peerPort,
      args: memberArguments(folder, { cluster, member, limits }),
    });
    return this.server;
  }
}
