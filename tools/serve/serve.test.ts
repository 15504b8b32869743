import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = 'libs/wallet/key/src/index.ts';
const SERVE = 'tools/serve/serve.mjs';

/** Stand-ins for the build, which copies the source, and for `up`, which says what it was started with and waits. */
const PROGRAMS = {
  'libs/bundle/transpile.mjs': `
    import { readFileSync } from 'node:fs';
    if (readFileSync('${SOURCE}', 'utf8').includes('fault')) process.exit(1);`,
  'libs/bundle/dist/main.js': `
    import { readFileSync, writeFileSync } from 'node:fs';
    const text = readFileSync('${SOURCE}', 'utf8').replace(/\\n\\/\\/.*/, '');
    writeFileSync('apps/wallet/bundle/main.js', text);`,
  'apps/cli/bundle/main.js': `
    import { readFileSync } from 'node:fs';
    setInterval(() => {}, 1000);
    process.once('SIGINT', () => { console.log('stopped'); process.exit(0); });
    // The test stops it as soon as it reads this.
    console.log('up', process.argv.slice(2).join(' '), readFileSync('apps/wallet/bundle/main.js', 'utf8').trim());
    if (process.argv.includes('--fails')) process.exit(3);`,
};

let folder: string;
let child: ChildProcess;
let said: string;
let ended: Promise<number | null>;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function serve(...words: string[]): void {
  child = spawn(process.execPath, [SERVE, ...words], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  ended = new Promise((done) => child.once('close', done));
}

const count = (text: string) => said.split(text).length - 1;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-serve-'));
  for (const file of [SERVE, 'libs/devnet/launcher/run-owned.mjs']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  for (const [file, text] of Object.entries(PROGRAMS)) write(file, text);
  for (const path of ['apps/wallet', 'libs/wallet/key']) write(`${path}/package.json`, '{}');
  write('package.json', '{ "type": "module" }');
  write('apps/wallet/bundle/main.js', 'one\n');
  write(SOURCE, 'one\n');
});

afterEach(async () => {
  child.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

describe('serving one service', () => {
  it('starts it with a node and data of its own, and stops it in order', async () => {
    serve('wallet', '--port-base', '25000');
    await until(() => said.includes('up up'));
    expect(said).toContain(
      'up up --nodes 1 --services node,wallet --data-dir .tetrad/serve/wallet --port-base 25000 one',
    );
    child.kill('SIGINT');
    expect({ code: await ended, stopped: count('stopped') }).toEqual({ code: 0, stopped: 1 });
  });

  it('starts it again when a source changes its bundle', async () => {
    serve('wallet');
    await until(() => said.includes('up up'));
    write(SOURCE, 'two\n');
    await until(() => count('up up') === 2);
    expect(said).toMatch(/ one\n[^]*stopped\n[^]* two\n/);
  });

  it('leaves it running when a change does not build, or is not in its bundle', async () => {
    serve('wallet');
    await until(() => said.includes('up up'));
    write(SOURCE, 'fault\n');
    await until(() => said.includes('it does not build; what runs goes on'));
    write(SOURCE, 'one\n// more\n');
    await until(() => said.includes('the change is not in wallet; what runs goes on'));
    expect({ starts: count('up up'), stops: count('stopped') }).toEqual({ starts: 1, stops: 0 });
  });

  it('waits for a change when the service ends by itself', async () => {
    serve('wallet', '--fails');
    await until(() => said.includes('it ended with 3; it is started again when a source changes'));
    write(SOURCE, 'one\n// more\n');
    await until(() => count('up up') === 2);
    expect(readFileSync(join(folder, SOURCE), 'utf8')).toContain('more');
  });

  it('names the services when it is asked for another one', async () => {
    serve('walet');
    expect(await ended).toBe(2);
    expect(said).toContain('walet is not one of console, node, rollup-operator');
  });
});
