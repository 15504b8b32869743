import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageClosure } from '@tetrad/bundle';

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** A registry with some packages of this repository's `node_modules`, so that npm installs them without a network. */
export class PackageRegistry {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  /**
   * @param names - of packages; what they depend on is there as well
   * @param places - the root of this repository, and an empty folder for what npm keeps
   */
  static async start(
    names: readonly string[],
    { root, folder }: { readonly root: string; readonly folder: string },
  ): Promise<PackageRegistry> {
    const packages = await readPackages(await packageClosure(names, root));
    const server = createServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      answer(decodeURIComponent(request.url ?? ''), packages, origin).then(
        (body) => response.writeHead(body === undefined ? 404 : 200).end(body ?? '{}'),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new PackageRegistry(server, folder);
  }

  /**
   * Runs npm as a user does that has nothing of npm yet and no other registry.
   *
   * @param cwd - the folder of an application
   * @param words - of the command
   */
  async npm(cwd: string, ...words: readonly string[]): Promise<string> {
    const { port } = this.server.address() as AddressInfo;
    const own = Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_OPTIONS$)/i.test(name));
    const env = {
      ...Object.fromEntries(own),
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(this.folder, 'npm-cache'),
      npm_config_userconfig: join(this.folder, 'npmrc'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    };
    const { stdout } = await run('npm', words, { cwd, env });
    return stdout;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** Folders by name and version. */
type Packages = ReadonlyMap<string, ReadonlyMap<string, string>>;

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

async function readPackages(folders: readonly string[]): Promise<Packages> {
  const packages = new Map<string, Map<string, string>>();
  for (const folder of folders) {
    const { name, version } = await manifestOf(folder);
    packages.set(name, (packages.get(name) ?? new Map<string, string>()).set(version, folder));
  }
  return packages;
}

/** `/NAME` is what there is of a package, `/NAME/-/VERSION.tgz` one version. */
async function answer(
  path: string,
  packages: Packages,
  origin: string,
): Promise<string | Buffer | undefined> {
  const [name = '', file] = path.slice(1).split('/-/');
  const versions = packages.get(name);
  if (versions === undefined) return undefined;
  if (file === undefined) return JSON.stringify(await listing(name, versions, origin));
  const folder = versions.get(file.replace(/\.tgz$/, ''));
  return folder === undefined ? undefined : packed(folder);
}

async function listing(name: string, versions: ReadonlyMap<string, string>, origin: string): Promise<object> {
  const listed: Record<string, object> = {};
  for (const [version, folder] of versions)
    listed[version] = {
      ...(await manifestOf(folder)),
      dist: { tarball: `${origin}/${name}/-/${version}.tgz` },
    };
  return { name, 'dist-tags': { latest: [...versions.keys()].at(-1) }, versions: listed };
}

/** As npm packs it, with what was installed. */
async function packed(folder: string): Promise<Buffer> {
  const words = [
    '-czf',
    '-',
    '-C',
    folder,
    '--exclude',
    './node_modules',
    '--transform',
    's,^\\.,package,',
    '.',
  ];
  const { stdout } = await run('tar', words, { encoding: 'buffer', maxBuffer: 256 * 2 ** 20 });
  return stdout;
}
