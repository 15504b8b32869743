import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, until } from '@tetrad/testkit';

const PROGRAM = 'etcd';
const RESTART_MS = 200;

/** Whether etcd is installed to test against; prints a warning when it is not. */
export const HAS_ETCD = spawnSync(PROGRAM, ['--version']).error === undefined;
if (!HAS_ETCD) process.stderr.write('SKIPPED: etcd is not installed (Debian: apt-get install etcd-server)\n');

export interface TestEtcdOptions {
  readonly members?: number;
  /** Arguments of every member. */
  readonly args?: readonly string[];
  /** `https` needs `args` with certificates. */
  readonly scheme?: 'http' | 'https';
}

interface Member {
  readonly name: string;
  readonly client: string;
  readonly peer: string;
  process: ChildProcess | undefined;
}

/** A cluster of etcd that lives as long as a test. */
export class TestEtcd {
  private isClosed = false;

  private constructor(
    private readonly folder: string,
    private readonly members: readonly Member[],
    private readonly options: TestEtcdOptions,
  ) {}

  static async start(options: TestEtcdOptions = {}): Promise<TestEtcd> {
    const { members: size = 1, scheme = 'http' } = options;
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-etcd-'));
    const port = await freePorts(2 * size);
    const members = Array.from({ length: size }, (_, index) => ({
      name: `m${index}`,
      client: `${scheme}://127.0.0.1:${port + 2 * index}`,
      peer: `http://127.0.0.1:${port + 2 * index + 1}`,
      process: undefined,
    }));
    const etcd = new TestEtcd(folder, members, options);
    members.forEach((_, index) => etcd.startMember(index));
    return etcd;
  }

  get endpoints(): string[] {
    return this.members.map(({ client }) => client);
  }

  /** A member that ends by itself is started again: the system may have given its port to a connection meanwhile. */
  startMember(index: number): void {
    const member = this.members[index] as Member;
    const child = this.launch(member);
    member.process = child;
    child.once('exit', (_, signal) => {
      if (signal !== null || this.isClosed) return;
      setTimeout(() => {
        if (member.process === child && !this.isClosed) this.startMember(index);
      }, RESTART_MS);
    });
  }

  private launch({ name, client, peer }: Member): ChildProcess {
    const cluster = this.members.map((member) => `${member.name}=${member.peer}`).join(',');
    const flags = {
      name,
      'data-dir': join(this.folder, name),
      'initial-cluster': cluster,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
    };
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    return spawn(PROGRAM, [...args, ...(this.options.args ?? [])], { stdio: 'ignore' });
  }

  signal(index: number, signal: NodeJS.Signals): void {
    this.members[index]?.process?.kill(signal);
  }

  async kill(index: number): Promise<void> {
    const child = this.members[index]?.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Copies the data of a cluster whose members are killed. */
  async saveData(): Promise<void> {
    for (const { name } of this.members)
      await cp(join(this.folder, name), join(this.folder, `${name}.saved`), { recursive: true });
  }

  /** Puts back what was copied: the same cluster, which has forgotten what came later. */
  async loadData(): Promise<void> {
    for (const { name } of this.members) {
      await rm(join(this.folder, name), { recursive: true });
      await cp(join(this.folder, `${name}.saved`), join(this.folder, name), { recursive: true });
    }
  }

  /**
   * Posts to the gateway of the first member until it succeeds.
   * @param path - below /v3/
   */
  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
    let answer: unknown;
    await until(async () => {
      const response = await fetch(`${this.endpoints[0]}/v3/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
      }).catch(() => undefined);
      answer = await response?.json();
      return response?.status === 200;
    });
    return answer;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.members.map((_, index) => this.kill(index)));
    await rm(this.folder, { recursive: true, force: true });
  }
}
