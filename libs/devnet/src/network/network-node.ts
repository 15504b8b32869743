import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isServiceReady, startChildService, type ChildService } from '@tetrad/testkit';
import { serviceMain } from '../paths.js';
import type { NodeFiles } from './node-files.js';
import type { NodePorts } from './ports.js';

/** A command of the node's program, to be run while the node is stopped. */
export interface NodeCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface NetworkNodeOptions {
  readonly files: NodeFiles;
  readonly ports: NodePorts;
  readonly dataDir: string;
  readonly genesisFile: string;
  readonly passwordFile: string;
  readonly databaseUrl: string;
  /** Whether its peers are only to be reached as the list says. */
  readonly isLinked?: boolean;
}

const HTTP_API = 'eth,net,web3,txpool,rpc,debug,admin,ibft';

/** A node of the network in a process of its own, which may be stopped and started again. */
export class NetworkNode {
  private child: ChildService | undefined;

  constructor(private readonly options: NetworkNodeOptions) {}

  get files(): NodeFiles {
    return this.options.files;
  }

  get ports(): NodePorts {
    return this.options.ports;
  }

  get rpc(): string {
    return `http://127.0.0.1:${this.ports.rpc}`;
  }

  get enode(): string {
    return this.enodeAt(this.ports.peer);
  }

  private get staticNodesFile(): string {
    return join(this.files.folder, 'static-nodes.json');
  }

  /** Its URL for somebody who reaches it on another port. */
  enodeAt(port: number): string {
    return `enode://${this.files.nodeId}@127.0.0.1:${port}?discport=0`;
  }

  /** Writes down which nodes it keeps connections to; its own may be among them. */
  async writeStaticNodes(enodes: readonly string[]): Promise<void> {
    await writeFile(this.staticNodesFile, `${JSON.stringify(enodes, null, 2)}\n`);
  }

  /** Fails: while it is stopped. */
  get pid(): number {
    if (this.child === undefined) throw new Error(`${this.files.name} is not running`);
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child !== undefined;
  }

  /** Executes its whole chain again and compares. */
  get verifyCommand(): NodeCommand {
    return this.command(['--verify']);
  }

  /** Starts it on its data; resolves when it is ready. */
  async start(): Promise<void> {
    const { files, ports, dataDir } = this.options;
    const { command, args, environment } = this.command();
    this.child = await startChildService({
      ...{ name: files.name, command, args, environment },
      logFile: join(dataDir, `${files.name}.log`),
      isReady: () => isServiceReady(`http://127.0.0.1:${ports.ops}`),
    });
  }

  /** Stops it in order. */
  async stop(): Promise<void> {
    await this.child?.stop();
    this.child = undefined;
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    await this.child?.kill();
    this.child = undefined;
  }

  private command(more: readonly string[] = []): NodeCommand {
    const { files, ports, genesisFile, passwordFile, databaseUrl } = this.options;
    const values = {
      '--data-dir': files.folder,
      '--genesis-file': genesisFile,
      '--node-key-file': files.nodeKeyFile,
      '--keystore-dir': files.keystoreDir,
      '--keystore-password-file': passwordFile,
      '--migrate': 'true',
      '--http-listen-port': String(ports.rpc),
      '--ops-listen-port': String(ports.ops),
      '--peer-listen-port': String(ports.peer),
      '--static-nodes-file': this.staticNodesFile,
      '--peer-exchange': String(this.options.isLinked !== true),
      '--http-api': HTTP_API,
    };
    return {
      command: process.execPath,
      args: [serviceMain('node'), ...Object.entries(values).flat(), ...more],
      environment: { TETRAD_NODE_DATABASE_URL: databaseUrl },
    };
  }
}
