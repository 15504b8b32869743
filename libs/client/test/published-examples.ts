import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const load = createRequire(import.meta.url);
/** Folder of web3js-quorum, which has its examples. */
const PACKAGE = dirname(dirname(load.resolve('web3js-quorum')));

/** The examples that web3js-quorum is published with: as they are, but for addresses of services and keys of managers. */
export class PublishedExamples {
  private constructor(readonly folder: string) {}

  /**
   * @param replaced - texts of the examples, and what stands there for this network
   */
  static write(replaced: Readonly<Record<string, string>>): PublishedExamples {
    const folder = mkdtempSync(join(tmpdir(), 'tetrad-published-examples-'));
    for (const name of ['7nodes-test', 'example'])
      cpSync(join(PACKAGE, name), join(folder, name), { recursive: true });
    symlinkSync(join(PACKAGE, 'src'), join(folder, 'src'));
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    symlinkSync(dirname(load.resolve('web3-1/package.json')), join(modules, 'web3'));
    symlinkSync(join(PACKAGE, 'node_modules/ethereumjs-tx'), join(modules, 'ethereumjs-tx'));
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/^(?:7nodes-test|example)\/.*\.js$/.test(name)) continue;
      const text = Object.entries(replaced).reduce(
        (left, [from, to]) => left.replaceAll(from, to),
        readFileSync(join(folder, name), 'utf8'),
      );
      writeFileSync(join(folder, name), text);
    }
    return new PublishedExamples(folder);
  }

  /** Source text of an example, with the keys of this network. */
  source(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  /**
   * Runs an example.
   *
   * @param path - of its file
   * @param environment - what it reads besides
   * @returns what it prints
   */
  async run(path: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], {
      cwd: this.folder,
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      timeout: 120_000,
    });
    return stdout + stderr;
  }

  /**
   * Runs lines of an application of the library, after those with which an example begins.
   *
   * @param path - of the example
   * @param lines - which print one JSON value with `show`
   * @returns the value
   */
  async evaluate(path: string, lines: string): Promise<unknown> {
    const [beginning = ''] = this.source(path).split('(async () => {');
    const show = "const show = (value) => console.log('SHOWN ' + JSON.stringify(value));";
    const file = join(dirname(path), 'own-lines.js');
    writeFileSync(join(this.folder, file), `${beginning}\n${show}\n(async () => {\n${lines}\n})();\n`);
    const printed = await this.run(file);
    const [, shown] = /^SHOWN (.*)$/m.exec(printed) ?? [];
    if (shown === undefined) throw new Error(`nothing is shown: ${printed}`);
    return JSON.parse(shown) as unknown;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
