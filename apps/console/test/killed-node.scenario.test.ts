import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  PORTS_PER_NODE,
  freePorts,
  parseNetworkOptions,
  startNetwork,
  type Network,
  type NetworkNode,
} from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { describeWithBrowser, hasBrowser, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('a killed node in the console');
const browser = useBrowser();

let folder: string;
let network: Network;
let follower: NetworkNode;
let console: RunningConsole;

beforeAll(async () => {
  if (!hasBrowser) return;
  folder = await mkdtemp(join(tmpdir(), 'tetrad-console-killed-'));
  const base = await freePorts(2 * PORTS_PER_NODE);
  const words = ['--nodes', '1', '--services', 'node', '--block-period', '500'];
  network = await startNetwork(
    parseNetworkOptions([...words, '--data-dir', folder, '--port-base', String(base)]),
  );
  // Not a validator: blocks go on without it.
  follower = await network.join();
  const nodes = [...network.nodes].map(({ name, rpc }) => ({ name, rpc }));
  console = await startConsole(nodes);
});
afterAll(async () => {
  await console?.stop();
  await network?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const rowOf = (page: Page, node: string): Locator =>
  page
    .getByRole('region', { name: 'Nodes' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: node, exact: true }) });
const headIn = async (row: Locator) =>
  Number((await row.getByRole('cell').nth(2).textContent())?.replaceAll(',', ''));

/** A script that waits for the mark of the page, and gives ms since the navigation: of the mark, and of each request's end. */
const FIRST_VIEW = `new Promise((done) => {
  const look = () => {
    const [mark] = performance.getEntriesByName('first-view');
    if (mark === undefined) return setTimeout(look, 5);
    const requests = performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) =>
      [new URL(name).pathname, Math.round(startTime), Math.round(responseEnd)].join(' '));
    done({ ms: Math.round(mark.startTime), requests });
  };
  look();
})`;

describeShown('a node that is killed while its page is open', () => {
  it('had a first view with heads, blocks and validators after a time that is printed', async () => {
    for (let load = 1; load <= 3; load += 1) {
      const { page, faults } = await browser.openAnew(console.url);
      const { ms, requests } = (await page.evaluate(FIRST_VIEW)) as { ms: number; requests: string[] };
      process.stderr.write(`first view, load ${load}: ${ms} ms\n`);
      if (process.env['TETRAD_REQUESTS'] !== undefined) process.stderr.write(`${requests.join('\n')}\n`);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('is down in the network’s view, which goes on, keeps what its own view showed, and comes back', async () => {
    const overview = await browser.open(console.url);
    const [validator, killed] = [rowOf(overview.page, 'node0'), rowOf(overview.page, follower.name)];
    for (const row of [validator, killed]) await row.getByText('up', { exact: true }).waitFor();
    const own = await browser.open(`${console.url}/blocks?node=${follower.name}`);
    const blocks = own.page.getByRole('region', { name: 'The newest blocks' }).getByRole('row');
    await blocks.nth(1).waitFor();

    const seen = overview.page.getByRole('region', { name: /^Seen on this page/ });
    const isSeen = (what: RegExp) =>
      seen.getByRole('row').filter({ hasText: follower.name }).getByText(what).first().waitFor();

    await follower.kill();
    await isSeen(/^does not answer$/);
    await killed.getByText(`down: ${follower.name} cannot be reached`).waitFor();
    await validator.getByText('up', { exact: true }).waitFor();
    const head = await headIn(validator);
    await until(async () => (await headIn(validator)) > head);
    const warning = own.page.getByRole('alert');
    await warning.getByText(`${follower.name} cannot be reached`).waitFor();
    expect(await warning.textContent()).toMatch(/^As it was \d+ s ago: /);
    expect(await blocks.count()).toBeGreaterThan(1);

    await follower.start();
    await isSeen(/^answers again$/);
    await killed.getByText('up', { exact: true }).waitFor();
    await warning.waitFor({ state: 'detached' });
    await until(async () => Math.abs((await headIn(killed)) - (await headIn(validator))) <= 1);
    expect([...overview.faults, ...own.faults]).toEqual([]);
  });

  it('is shown as a node that is not asked, where the file does not name it and it is a peer', async () => {
    const { address } = network.endpoints.nodes[0]!;
    const partial = await startConsole([{ name: 'node0', rpc: network.nodes[0]!.rpc, address }]);
    try {
      const { page, faults } = await browser.open(partial.url);
      const unlisted = page.getByRole('region', { name: /^Nodes that are not in the console’s file/ });
      await unlisted.getByRole('cell', { name: 'node0', exact: true }).waitFor();
      // Its own row, and that of the heading.
      expect(await unlisted.getByRole('row').count()).toBe(2);
      expect(faults).toEqual([]);
    } finally {
      await partial.stop();
    }
  });
});
