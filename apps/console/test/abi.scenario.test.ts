import type { Page } from 'playwright-core';
import { until } from '@tetrad/testkit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startNode, type RunningNode } from '../../node/test/running-node.js';
import { testSentCalls } from './abi/sent-call-tests.js';
import { chooseFile, deployBook, prepareWrite, section, sendByNode, type DeployedBook } from './book-page.js';
import { barriers, describeWithBrowser, hasBrowser, record, useBrowser } from './browser.js';
import { startConsole, type RunningConsole } from './running-console.js';

const describeShown = describeWithBrowser('ABI files in the console');
const browser = useBrowser();

const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const MARKUP_FILE = '<img src=x onerror=alert(3)>.json';

let node: RunningNode;
let console: RunningConsole;
let book: DeployedBook;
let contract: string;
const sent = { written: '', failed: '' };

beforeAll(async () => {
  if (!hasBrowser) return;
  node = await startNode(['--revert-reason', 'true'], { emptyBlockPeriodSeconds: 1 });
  book = await deployBook(node, SCRIPT);
  contract = book.address;
  const call = (text: string) => book.coder.encodeFunctionData('write', ['topic', [contract, 3, text]]);
  sent.written = (await sendByNode(node, { to: contract, data: call(SCRIPT.slice(0, 40)) })).hash;
  sent.failed = (await sendByNode(node, { to: contract, data: call(SCRIPT) })).hash;
  console = await startConsole([{ name: 'node0', rpc: node.url }]);
});
afterAll(async () => {
  await console?.stop();
  await node?.stop();
});

const visit = (path: string) => browser.open(console.url + path);

/** Goes on in the same page, which keeps its files. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
  await until(() => Promise.resolve(page.url().includes(text.toLowerCase())));
}

/** The contract's page with its file. */
async function visitContract(): Promise<{ page: Page; faults: string[] }> {
  const visited = await visit(`/accounts/${contract}`);
  await chooseFile(visited.page, book.output);
  await visited.page.getByText('1 contract read.').waitFor();
  return visited;
}

/** Names of the fields that reach beyond the window. */
const WIDE_INPUTS = `[...document.querySelectorAll('input')]
  .filter((input) => input.getBoundingClientRect().right > innerWidth)
  .map((input) => input.getAttribute('aria-label'))`;

describeShown('ABI files in Chromium', () => {
  it('are dropped in, and say what a transaction, its logs and its calls mean', async () => {
    const { page, faults } = await visit('/');
    await page.getByRole('link', { name: 'ABIs' }).click();
    const dropped = await page.evaluateHandle(
      `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(book.output)}], ${JSON.stringify(MARKUP_FILE)})); return all; })()`,
    );
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: dropped });
    await page.getByRole('row').filter({ hasText: 'Book.sol:Book' }).getByText('any contract').waitFor();
    await find(page, sent.written);
    const logs = section(page, 'Logs');
    await logs.getByText('Written(address author, string topic, uint256 number,').waitFor();
    await logs.getByText('hash of string').waitFor();
    await logs.getByText(SCRIPT.slice(0, 40)).waitFor();
    await logs.getByText(`by the ABI file ${MARKUP_FILE}, Book.sol:Book`).waitFor();
    await section(page, 'Input').getByText('write(string topic, (address author').waitFor();
    await page.getByRole('button', { name: 'Execute it again to see its calls' }).click();
    await section(page, 'Calls').getByText('returned').waitFor();
    await record(page, 'decoded');
    expect(await barriers(page)).toEqual([]);
    await find(page, sent.failed);
    const revert = section(page, 'Reverted with');
    await revert.getByText('TooLong(uint256 length, string text)').waitFor();
    await revert.getByText(SCRIPT).waitFor();
    await find(page, book.created);
    await section(page, 'Input').getByText('constructor(string title_, uint64 count_)').waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('that disagree, or do not match, never hide it', async () => {
    const { page, faults } = await visit('/abis');
    const written = book.coder.getEvent('Written');
    if (written === null) throw new Error('no event');
    const event = JSON.parse(written.format('json')) as { inputs: { name: string; indexed?: boolean }[] };
    const renamed = { ...event, inputs: event.inputs.map((one) => ({ ...one, name: `${one.name}2` })) };
    const all = { ...event, inputs: event.inputs.map((one, at) => ({ ...one, indexed: at < 3 })) };
    for (const abi of [[event], [renamed], [all]]) {
      const name = `file-${abi[0]?.inputs[0]?.name}-${abi[0]?.inputs[2]?.indexed}.json`;
      await chooseFile(page, JSON.stringify(abi), name);
      await page.getByRole('row').filter({ hasText: name }).waitFor();
    }
    await find(page, sent.written);
    const logs = section(page, 'Logs');
    await logs
      .getByText('The ABI files give this 2 meanings; the data does not say which is right.')
      .waitFor();
    await logs.getByText('It does not match: it has 2 indexed values, and the ABI says 3.').waitFor();
    await section(page, 'Input').getByText('has a function of this selector').waitFor();
    expect(faults).toEqual([]);
  });

  it('are refused by the field, kept nowhere, bound to an address, and removed', async () => {
    const { page, faults } = await visit('/abis');
    const wrong = [{ type: 'function', name: SCRIPT }];
    await chooseFile(page, JSON.stringify(wrong), MARKUP_FILE);
    await page.getByText('0.name: must be an identifier').waitFor();
    await chooseFile(page, JSON.stringify(Array(10_000).fill({ type: 'error', name: 'E' })));
    await page.getByText('has 10000 entries, and at most 2000 are read').waitFor();
    await chooseFile(page, book.output);
    const row = page.getByRole('row').filter({ hasText: 'Book.sol:Book' });
    await row.getByRole('textbox').fill('anything');
    await row.getByRole('button', { name: 'Use there only' }).click();
    await row.getByText('Enter an address.').waitFor();
    await row.getByRole('textbox').fill(sent.written.slice(0, 42));
    await row.getByRole('button', { name: 'Use there only' }).click();
    await row.getByRole('link').waitFor();
    await find(page, sent.written);
    await section(page, 'Logs')
      .getByText('No ABI file that is used for the contract has this event.')
      .waitFor();
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).toBe('[{},{}]');
    expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0);
    await page.getByRole('link', { name: 'ABIs' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No file was added: only what standards have is decoded.').waitFor();
    expect(faults).toEqual([]);
  });
});

describeShown('a contract in Chromium', () => {
  it('shows what it stores, by the layout of its file', async () => {
    const { page, faults } = await visitContract();
    const storage = section(page, 'Storage');
    const variable = (text: string) => storage.getByRole('listitem').filter({ hasText: text }).last();
    const textOf = async (name: string) => {
      await variable(name).waitFor();
      return (await variable(name).textContent())?.split(': ').at(-1);
    };
    const [from = ''] = node.accounts;
    expect((await textOf('owner address'))?.toLowerCase()).toBe(from);
    expect(await textOf('count uint64')).toBe('6');
    expect(await textOf('isOpen bool')).toBe('true');
    expect(await textOf('level int16')).toBe('-5');
    expect(await textOf('mood enum Book.Mood')).toBe('1');
    expect(await textOf('title string')).toBe(SCRIPT);
    const note = 'a note that is longer than the thirty-one bytes of one slot';
    expect(await textOf('note bytes')).toBe(`0x${Buffer.from(note).toString('hex')}`);
    expect(await textOf('last.weight uint96')).toBe('3');
    expect(await textOf('last.text string')).toBe(SCRIPT.slice(0, 40));
    const open = async (label: string, key: string) => {
      await storage.getByLabel(label, { exact: true }).fill(key);
      await storage.getByLabel(label, { exact: true }).press('Enter');
    };
    await open('Key of balances', 'x');
    await storage.getByText('key: must be an address').waitFor();
    await open('Key of balances', from);
    expect(await textOf(`balances[${from}]`)).toBe('42');
    await open('Key of byName', 'alice');
    expect(await textOf('byName[alice].text')).toBe('by alice');
    await open('Key of seen', from);
    await open(`Key of seen[${from}]`, '3');
    expect(await textOf(`seen[${from}][3]`)).toBe('true');
    await open('Index of numbers', '17');
    expect(await textOf('numbers[17]')).toBe('51');
    await open('Index of fixedNumbers', '3');
    await storage.getByText('index: the array has 3 elements').waitFor();
    await open('Index of fixedNumbers', '2');
    expect(await textOf('fixedNumbers[2]')).toBe('3');
    await open('Index of entries', '1');
    expect(await textOf('entries[1].text')).toBe('second');
    await storage.getByLabel('Slot (decimal or hex)').fill('0x1');
    await storage.getByRole('button', { name: 'Read the slot' }).click();
    await storage.getByText(/^Slot 1: 0x[0-9a-f]{64}$/).waitFor();
    await record(page, 'contract');
    expect(faults).toEqual([]);
  });

  it('is read by forms of its functions, whose inputs, results and errors are typed', async () => {
    const { page, faults } = await visitContract();
    const reads = section(page, 'Read');
    const read = () => reads.getByRole('button', { name: 'Read' }).click();
    const select = (text: string) => reads.getByLabel('Function to read').selectOption({ label: text });
    await select('\u2068title()\u2069');
    await read();
    await reads.getByText(SCRIPT).first().waitFor();
    await select('\u2068check(uint256[] values, (address author, uint96 weight, string text)[2] pair)\u2069');
    const entry = { author: contract, weight: 1, text: SCRIPT };
    const fill = async (values: string, pair: unknown) => {
      await reads.getByRole('textbox', { name: /^values/ }).fill(values);
      await reads.getByRole('textbox', { name: /^pair/ }).fill(JSON.stringify(pair));
      await read();
    };
    await fill('[1, "-2"]', [entry, entry]);
    await reads.getByText('values[1]: is beyond the range of uint256').waitFor();
    await fill('[12345678901234567890]', [entry, entry]);
    await reads.getByText('values[0]: write this number in quotation marks').waitFor();
    await fill('[]', [entry, { ...entry, size: 1 }]);
    await reads.getByText('pair[1].size: is no component').waitFor();
    await fill('[1, "2"]', [[contract, '1', SCRIPT], entry]);
    await reads.getByText('check returns (uint256 sum,').waitFor();
    await reads.getByText('As node0 sees it:').waitFor();
    await fill('[13]', [entry, entry]);
    await reads.getByText('TooLong(uint256 length, string text)').waitFor();
    await fill('[14]', [entry, entry]);
    await reads.getByText('Error(string reason)').waitFor();
    await reads.getByText('of every Solidity contract').waitFor();
    await reads.getByRole('textbox', { name: /^Block/ }).fill('never');
    await read();
    await reads.getByText('block: must be a number or a tag').waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('has no barriers with its file, light or dark, and fits a phone', async () => {
    const { page } = await visitContract();
    await prepareWrite(page, book, { topic: 'topic', text: 'text' });
    for (const path of ['', '/abis']) {
      if (path !== '') await page.getByRole('link', { name: 'ABIs' }).click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect({ path, colorScheme, barriers: await barriers(page) }).toEqual({
          path,
          colorScheme,
          barriers: [],
        });
      }
      await page.setViewportSize({ width: 360, height: 640 });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(360);
      // What scrolls by itself adds nothing to the width of the page.
      expect(await page.evaluate(WIDE_INPUTS)).toEqual([]);
    }
  });
});

describeShown('calls that the console sends', () => testSentCalls(() => node, browser));
