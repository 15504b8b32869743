import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Where Debian's package has it; `TETRAD_CHROMIUM` names another one. */
const CHROMIUM = process.env['TETRAD_CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether this host can open the page as people do. */
export const hasBrowser = existsSync(CHROMIUM);

/** `describe` where there is a browser; otherwise says what is skipped. */
export function describeWithBrowser(what: string): typeof describe | typeof describe.skip {
  if (hasBrowser) return describe;
  process.stderr.write(`SKIPPED: ${what}: there is no Chromium\n`);
  return describe.skip;
}

export function openBrowser(): Promise<Browser> {
  // Its sandbox needs rights that root of a container has not got.
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page of a reader of its own, with what went wrong in it: scripts that fail or are stopped by the policy, and dialogs. */
export async function openPage(browser: Browser, url: string): Promise<{ page: Page; faults: string[] }> {
  // The policy stays in force: tests look from outside.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // Answers with an error status are said by the views.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** What axe finds that keeps people from using the view. */
export async function barriers(page: Page): Promise<string[]> {
  // Half a megabyte of script, which the page keeps while it shows other views and colours.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}

const PICTURES = join(import.meta.dirname, '../../../docs/how-to/console');

/** Renews a picture of the documentation when `TETRAD_RECORD_PICTURES` is set. */
export async function record(page: Page, name: string): Promise<void> {
  if (process.env['TETRAD_RECORD_PICTURES'] === undefined) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
