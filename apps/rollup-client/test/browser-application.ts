import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../console/test/browser.js';
import { installPackedClient } from '../../../libs/client/test/packed-client.js';

/** What follows the steps of an application: they are run by name, with amounts as text. */
const RUN = `
const asJson = (_, value) =>
  typeof value === 'bigint' ? String(value) : value instanceof Map ? Object.fromEntries(value) : value;
globalThis.run = async ([name, ...values]) => {
  try {
    return JSON.parse(JSON.stringify({ result: await steps[name](...values) }, asJson));
  } catch (error) {
    const { name: kind, message } = error;
    const is = { lost: rollup.isOutcomeUnknown(error), unproved: rollup.isProofError(error) };
    return { error: { kind, message, reason: rollup.refusalReasonOf(error), ...is } };
  }
};
`;

/** An application in Chromium, as a bundler makes it with the packed client, at an origin of its own. */
export class BrowserApplication {
  private settings = '{}';
  private browser: Browser | undefined;
  private context: BrowserContext | undefined;

  private constructor(
    readonly folder: string,
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /**
   * @param source - of a module with an object `steps`, and `rollup`, the part of the client
   */
  static async start(source: string): Promise<BrowserApplication> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-browser-application-'));
    const main = await bundle(folder, source + RUN);
    const server = createServer(({ url }, response) => {
      const [type, text] =
        url === '/'
          ? ['text/html', '<script type="module" src="/main.js"></script>']
          : url === '/main.js'
            ? ['text/javascript', main]
            : ['application/json', application.settings];
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const application = new BrowserApplication(folder, server, origin);
    return application;
  }

  /** What the application reads from `/settings.json` when it is opened. */
  set(settings: object): void {
    this.settings = JSON.stringify(settings);
  }

  /** A page with the application, which shares its storage with the others. */
  async open(): Promise<Page> {
    this.browser ??= await openBrowser();
    this.context ??= await this.browser.newContext();
    const page = await this.context.newPage();
    await page.goto(this.origin);
    await page.waitForFunction("'run' in globalThis");
    return page;
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await new Promise((done) => this.server.close(done));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What a step gives, or how it fails. */
export const outcomeOf = (page: Page, step: readonly unknown[]) =>
  page.evaluate(`run(${JSON.stringify(step)})`) as Promise<{ result?: unknown; error?: object }>;

async function bundle(folder: string, source: string): Promise<string> {
  const application = await installPackedClient(folder);
  await writeFile(join(application, 'main.js'), source);
  const { outputFiles, metafile } = await build({
    entryPoints: [join(application, 'main.js')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  if (imports.length > 0) throw new Error(`the bundle imports ${imports.map(({ path }) => path).join(', ')}`);
  return outputFiles[0]?.text ?? '';
}
