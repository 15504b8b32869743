import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PERMISSION_CONFIG, type NodeFiles } from './node-files.js';
import { withNodeOptions, type NodeOption } from './node-options.js';
import type { NodePorts } from './ports.js';
import { ServiceProcess, type ServiceCommand } from './service-process.js';

/** How a node of a raft network is started. */
export interface RaftNodeOptions {
  readonly etcdEndpoints: readonly string[];
  readonly blockPeriodMs: number;
  /** Part of its enode URL; no process listens on it. */
  readonly port: number;
}

export interface NetworkNodeOptions {
  readonly files: NodeFiles;
  readonly ports: NodePorts;
  readonly dataDir: string;
  readonly genesisFile: string;
  readonly passwordFile: string;
  readonly databaseUrl: string;
  /** Settings of a node whose blocks are ordered by a log; undefined under validators. */
  readonly raft?: RaftNodeOptions | undefined;
  /** Its private transaction manager; undefined without one. */
  readonly managerUrl: string | undefined;
  /** Whether its peers can be reached only at the URLs of the list. */
  readonly isLinked?: boolean;
  /** Further options, which replace those of every node with the same flags. */
  readonly further: readonly NodeOption[];
  /** Called when it ends unexpectedly. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** All namespaces: clients of a development network are on its host. */
export const HTTP_API =
  'eth,net,web3,txpool,rpc,debug,trace,ots,erigon,explorer,admin,miner,ibft,raft,eea,priv,privacy,chainPermission,chainExtension';

/** A node of the network in a process of its own, which may be stopped and started again. */
export class NetworkNode extends ServiceProcess {
  constructor(private readonly options: NetworkNodeOptions) {
    const { files, ports, dataDir, databaseUrl, onEnded } = options;
    super({
      name: files.name,
      program: 'node',
      opsPort: ports.ops,
      args: nodeArgs(options),
      environment: { TETRAD_NODE_DATABASE_URL: databaseUrl },
      logFile: join(dataDir, `${files.name}.log`),
      onEnded,
    });
  }

  protected override get args(): readonly string[] {
    return nodeArgs(this.options);
  }

  /** Whether it enforces the permission contracts. */
  get isPermissioned(): boolean {
    return isPermissioned(this.options.files);
  }

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

  /** Its enode URL with another port. */
  enodeAt(port: number): string {
    const { raft } = this.options;
    const raftPort = raft === undefined ? '' : `&raftport=${raft.port}`;
    return `enode://${this.files.nodeId}@127.0.0.1:${port}?discport=0${raftPort}`;
  }

  /** Writes the list of nodes that it connects to, which may include itself. */
  async writeStaticNodes(enodes: readonly string[]): Promise<void> {
    await writeFile(staticNodesFile(this.files), `${JSON.stringify(enodes, null, 2)}\n`);
  }

  /** How it is started. */
  get startCommand(): ServiceCommand {
    return this.command(nodeArgs(this.options));
  }

  /** Executes its whole chain again and compares; to be run while it is stopped. */
  get verifyCommand(): ServiceCommand {
    return this.command([...nodeArgs(this.options), '--verify']);
  }
}

const isPermissioned = ({ folder }: NodeFiles) => existsSync(join(folder, PERMISSION_CONFIG));
const staticNodesFile = ({ folder }: NodeFiles) => join(folder, 'static-nodes.json');

function nodeArgs({ files, ports, ...options }: NetworkNodeOptions): string[] {
  const values = {
    '--data-dir': files.folder,
    '--genesis-file': options.genesisFile,
    '--node-key-file': files.nodeKeyFile,
    '--keystore-dir': files.keystoreDir,
    '--keystore-password-file': options.passwordFile,
    '--migrate': 'true',
    '--http-listen-port': String(ports.rpc),
    '--ops-listen-port': String(ports.ops),
    '--peer-listen-port': String(ports.peer),
    '--static-nodes-file': staticNodesFile(files),
    '--peer-exchange': String(options.isLinked !== true),
    '--http-api': HTTP_API,
    ...(options.raft === undefined
      ? {}
      : {
          '--etcd-endpoints': options.raft.etcdEndpoints.join(),
          '--block-period': `${options.raft.blockPeriodMs}ms`,
        }),
    ...(options.managerUrl === undefined ? {} : { '--ptm-url': options.managerUrl }),
    ...(isPermissioned(files) ? { '--permissioned': 'true' } : {}),
  };
  return withNodeOptions(values, options.further);
}
