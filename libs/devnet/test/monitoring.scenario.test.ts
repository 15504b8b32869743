import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withDatabaseName } from '@tetrad/db';
import {
  PORTS_PER_NODE,
  ROOT,
  freePorts,
  parseNetworkOptions,
  sendPrivately,
  startNetwork,
  type Network,
} from '@tetrad/devnet';
import { SHORT_BLOCK_PERIODS, until } from '@tetrad/testkit';
import { Wallet } from 'ethers';
import { readCatalogue, uncataloguedOf } from './monitoring/catalogue.js';
import { Instruments } from './monitoring/check-use.js';
import { panelExpressions, readAlerts, readDashboards } from './monitoring/expressions.js';
import { scrape, type Sample, type Scrape } from './monitoring/exposition.js';
import { lackingPromtool, promtool } from './monitoring/promtool.js';
import { runTetrad } from './tetrad-process.js';

const lacking = await lackingPromtool();
if (lacking !== undefined) process.stderr.write(`SKIPPED: rules of Prometheus: ${lacking}\n`);
const itWithPromtool = lacking === undefined ? it : it.skip;

const PROMETHEUS = join(ROOT, 'docker/prometheus');
const SERVICES = 'node,transaction-manager,signer,wallet,rollup-operator';

let folder: string;
let base: number;
let network: Network;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-monitoring-'));
  base = await freePorts(2 * PORTS_PER_NODE);
  const words = ['--nodes', '2', '--services', SERVICES, ...SHORT_BLOCK_PERIODS];
  const places = ['--data-dir', join(folder, 'network'), '--port-base', String(base)];
  // All states are kept in so few blocks: what counts is that the instruments are there.
  const options = '--call-threads 1 --state-history 100000';
  const more = ['--endpoints-file', join(folder, 'endpoints.json'), '--node-options', options];
  network = await startNetwork(parseNetworkOptions([...words, ...places, ...more]));
});
afterAll(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Operations ports, by their distance from the first port (see `./tetrad up --help`). */
const OPERATIONS = {
  node: 1,
  'transaction-manager': 8,
  signer: 3,
  wallet: 6,
  'rollup-operator': 13,
} as const;

const scrapeOne = (service: keyof typeof OPERATIONS) =>
  scrape(service, `http://127.0.0.1:${base + OPERATIONS[service]}`);
const scrapeAll = (): Promise<Scrape[]> =>
  Promise.all((Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).map(scrapeOne));

/** Instruments of raft networks, permission contracts, joined nodes and the index by address alone: the first two are compared where those run. */
const ELSEWHERE = /^node_(?:etcd|permission|history|address_index)/;

/** The sum of the series of a name whose labels have these values. */
function sumOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const wanted = Object.entries(labels);
  return samples
    .filter((one) => one.name === name && wanted.every(([label, value]) => one.labels.get(label) === value))
    .reduce((sum, { value }) => sum + value, 0);
}

async function post(url: string, method: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  await (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
}

describe('metrics of running services', () => {
  it('count calls by method and errors by reason, and never name an unknown method', async () => {
    const { nodes, signer, rollup, wallet } = network.endpoints;
    const urls = {
      node: `${nodes[0]?.rpc}`,
      signer: `${signer?.rpc}`,
      'rollup-operator': `${rollup?.rpc}`,
      wallet: `${wallet?.rpc}${wallet?.path}`,
    };
    const served = {
      node: 'eth_blockNumber',
      signer: 'eth_accounts',
      'rollup-operator': 'pazkp_findAccountById',
      wallet: 'Coin.WalletList',
    };
    for (const [service, url] of Object.entries(urls) as [keyof typeof urls, string][]) {
      const prefix = service.replaceAll('-', '_');
      const method = served[service];
      const before = await scrapeOne(service);
      await post(url, method);
      await post(url, 'eth_noSuchMethod');
      const { samples } = await scrapeOne(service);
      const grown = (name: string, labels: Readonly<Record<string, string>>) =>
        sumOf(samples, `${prefix}_rpc_${name}`, labels) -
        sumOf(before.samples, `${prefix}_rpc_${name}`, labels);
      expect([service, grown('calls_total', { method }), grown('call_seconds_count', { method })]).toEqual([
        service,
        1,
        1,
      ]);
      // The signer forwards what it does not know.
      if (service !== 'signer')
        expect(grown('errors_total', { method: 'none', reason: 'METHOD_NOT_FOUND' })).toBe(1);
      expect(samples.some(({ labels }) => labels.get('method') === 'eth_noSuchMethod')).toBe(false);
    }
  });

  it('show the requests of a private transaction at the node, its manager and the manager of the other party', async () => {
    const [first, second] = network.endpoints.nodes as [
      Network['endpoints']['nodes'][number],
      Network['endpoints']['nodes'][number],
    ];
    const wallet = new Wallet(network.endpoints.funded[0]?.privateKey ?? '');
    const creation = { wallet, through: first, nonce: 0, privateFor: [second.ptmKey], data: '0x60006000f3' };
    await sendPrivately(creation);
    await until(async () => {
      const { samples } = await scrapeOne('node');
      // One by one until an answer announced joined lookups, then joined.
      const lookups = ['transaction', 'payloads'].map((request) => ({ request, outcome: 'done' }));
      return lookups.some((labels) => sumOf(samples, 'node_manager_requests_total', labels) > 0);
    });
    const { samples } = await scrapeOne('transaction-manager');
    expect(
      sumOf(samples, 'transaction_manager_requests_total', { port: 'client', status: '200' }),
    ).toBeGreaterThan(0);
    const pushed = samples.filter(
      ({ name, labels }) =>
        name === 'transaction_manager_peer_requests_total' &&
        labels.get('path')?.startsWith('/push') === true,
    );
    expect(pushed.map(({ labels }) => labels.get('status'))).toContain('2xx');
  });

  it('show a recorded backup and a recorded verification', async () => {
    const name = 'tetrad_backup_last_timestamp_seconds';
    const verification = 'tetrad_backup_last_verification_timestamp_seconds';
    const places = ['--endpoints-file', join(folder, 'endpoints.json')];
    const { code } = await runTetrad(['backup', '--out', join(folder, 'backup'), ...places]);
    expect(code).toBe(0);
    for (const [service, program] of [
      ['node', 'node'],
      ['transaction-manager', 'payloads'],
    ] as const) {
      const { samples } = await scrapeOne(service);
      const manifest = readFileSync(join(folder, 'backup', program, 'manifest.json'), 'utf8');
      const { createdAt } = JSON.parse(manifest) as { createdAt: string };
      expect(sumOf(samples, name)).toBe(Date.parse(createdAt) / 1_000);
      expect(sumOf(samples, verification)).toBe(0);
    }
    const url = withDatabaseName(network.endpoints.database.url, 'tetrad_node0');
    const part = join(folder, 'backup/node');
    const recorded = await runTetrad(['node', 'record-backup', '--from', part, '--verified', 'true'], {
      TETRAD_NODE_DATABASE_URL: url,
    });
    expect(recorded.stdout).toContain('"recorded":"verification"');
    expect(sumOf((await scrapeOne('node')).samples, verification)).toBeGreaterThan(0);
  });

  it('are in the catalogue, which has no others', async () => {
    const scrapes = await scrapeAll();
    expect(await uncataloguedOf(scrapes)).toEqual([]);
    const gone = scrapes.flatMap(({ service, definitions }) =>
      (readCatalogue()[service] ?? [])
        .filter(({ name }) => !ELSEWHERE.test(name) && definitions.every((one) => one.name !== name))
        .map(({ name }) => `${service}: ${name}`),
    );
    expect(gone).toEqual([]);
  });
});

describe('alerts and dashboards', () => {
  it('refer to metrics, labels and series that running services have', async () => {
    const elsewhere = readCatalogue()['node']?.filter(({ name }) => ELSEWHERE.test(name)) ?? [];
    const others = { service: 'node', definitions: elsewhere, samples: [] };
    const instruments = new Instruments([...(await scrapeAll()), others]);
    const alerts = readAlerts().map(({ alert, expr }) => ({ place: alert, expression: expr }));
    const expressions = [...alerts, ...panelExpressions()];
    expect(expressions.length).toBeGreaterThan(120);
    const faults = expressions.flatMap(({ place, expression }) =>
      instruments.faults(expression).map((fault) => `${place}: ${fault}`),
    );
    expect(faults).toEqual([]);
    // The check itself finds each kind of fault.
    expect(instruments.faults('rate(node_head[1m])')).toEqual(['no metric node_head']);
    expect(instruments.faults('sum by (pear) (node_peers{stat="idle"})')).toEqual([
      'metric node_peers has no label stat',
      'no label pear',
    ]);
    expect(instruments.faults('node_peers{state=~"asleep|dead"}')).toEqual([
      'metric node_peers has no series with state asleep|dead',
    ]);
    expect(() => instruments.faults('sum(node_peers')).toThrow('no PromQL');
  });

  it('have distinct names, and each alert a section in the runbook', () => {
    const alerts = readAlerts();
    const names = [...alerts.map(({ alert }) => alert), ...readDashboards().map(({ uid }) => uid)];
    expect(new Set(names).size).toBe(names.length);
    const without = alerts.filter(({ alert, annotations }) => {
      const [page = '', anchor] = annotations.runbook_url.split('#');
      const isThere = existsSync(join(ROOT, page)) && anchor === alert.toLowerCase();
      return !isThere || !readFileSync(join(ROOT, page), 'utf8').includes(`\n### ${alert}\n`);
    });
    expect(without.map(({ alert }) => alert)).toEqual([]);
  });

  itWithPromtool('are configured and fire as promtool expects', async () => {
    await promtool(['check', 'config', 'prometheus.yml'], PROMETHEUS);
    const tests = (await readdir(join(PROMETHEUS, 'tests'))).map((name) => join('tests', name));
    expect(tests.length).toBeGreaterThan(2);
    await promtool(['test', 'rules', ...tests], PROMETHEUS);
  });

  itWithPromtool('have expressions that Prometheus parses', async () => {
    const rules = panelExpressions().map(({ expression: expr }, index) => ({
      record: `panel:${index}`,
      expr,
    }));
    // JSON is YAML too.
    await writeFile(join(folder, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(await promtool(['check', 'rules', 'panels.yml'], folder)).toContain(`${rules.length} rules found`);
  });
});
