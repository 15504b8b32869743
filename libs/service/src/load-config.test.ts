import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommandLine } from './command-line.js';
import { defineOptions, option } from './define-options.js';
import { cautionsOf, loadConfig } from './load-config.js';
import {
  booleanOption,
  choiceOption,
  durationOption,
  integerOption,
  listOption,
  pathOption,
  portOption,
  secretFileOption,
  secretPathOption,
  textOption,
  urlOption,
} from './option-types.js';
import { databaseOptions, databaseUrlOf } from './database-options.js';

const options = defineOptions({
  httpListenPort: option(portOption(), { description: 'Port.', default: 8545 }),
  blockPeriod: option(durationOption({ min: 10, max: 60_000 }), { description: 'Period.', default: 1_000 }),
  insecure: option(booleanOption(), { description: 'Insecure.', default: false }),
  modules: option(listOption(textOption()), {
    description: 'Modules.',
    default: ['eth'] as readonly string[],
  }),
  level: option(choiceOption('low', 'high'), { description: 'Level.' }),
  downstream: option(urlOption('http', 'https'), { description: 'Client.' }),
  passwordFile: option(secretFileOption(), { description: 'Password.' }),
  genesisFile: option(pathOption(), { description: 'Genesis.' }),
  ...databaseOptions,
});

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-options-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function load(argv: string[] = [], environment: Record<string, string> = {}, toml?: string) {
  const args = [...argv];
  if (toml !== undefined) {
    writeFileSync(join(folder, 'service.toml'), toml);
    args.push('--config-file', join(folder, 'service.toml'));
  }
  return loadConfig({
    service: 'test-service',
    options,
    commandLine: parseCommandLine(args, options),
    environment,
  });
}

describe('the configuration', () => {
  it('is read from a file with a byte order mark, and names one of UTF-16', () => {
    expect(load([], {}, '\uFEFFhttp-listen-port = 7').httpListenPort).toBe(7);
    writeFileSync(join(folder, 'wide.toml'), '\uFEFFhttp-listen-port = 7', 'utf16le');
    expect(() => load(['--config-file', join(folder, 'wide.toml')])).toThrow(
      /wide\.toml: the file is in UTF-16/,
    );
  });

  it('takes a flag before a variable, a variable before the file, the file before the default', () => {
    const flag = ['--http-listen-port', '1'];
    const variable = { TETRAD_TEST_SERVICE_HTTP_LISTEN_PORT: '2' };
    const file = 'http-listen-port = 3';
    expect(load(flag, variable, file).httpListenPort).toBe(1);
    expect(load([], variable, file).httpListenPort).toBe(2);
    expect(load([], {}, file).httpListenPort).toBe(3);
    expect(load().httpListenPort).toBe(8545);
  });

  it('finds the file by a variable as well', () => {
    const path = join(folder, 'by-variable.toml');
    writeFileSync(path, 'insecure = true');
    expect(load([], { TETRAD_TEST_SERVICE_CONFIG_FILE: path }).insecure).toBe(true);
  });

  it('reads a boolean bare, with = and with a following word', () => {
    expect(load(['--insecure']).insecure).toBe(true);
    expect(load(['--insecure=false']).insecure).toBe(false);
    expect(load(['--insecure', 'true', '--level', 'low'])).toMatchObject({ insecure: true, level: 'low' });
  });

  it('joins the values of a repeated list flag', () => {
    expect(load(['--modules', 'eth,net', '--modules=web3']).modules).toEqual(['eth', 'net', 'web3']);
    expect(load([], {}, 'modules = ["a", "b"]').modules).toEqual(['a', 'b']);
  });

  it.each([
    ['250', 250],
    ['250ms', 250],
    ['2s', 2_000],
    ['1m', 60_000],
  ])('reads the duration %s as %i ms', (text, ms) => {
    expect(load(['--block-period', text]).blockPeriod).toBe(ms);
  });

  it('takes an option by its other names, its letter and by the section of the file', () => {
    const named = defineOptions({
      level: option(textOption(), { description: 'Level.', aliases: ['old-level'], short: 'l' }),
    });
    const read = (argv: string[], environment = {}) =>
      loadConfig({ service: 's', options: named, commandLine: parseCommandLine(argv, named), environment })
        .level;
    expect([read(['--old-level', 'a']), read(['-l', 'b']), read(['-l=c'])]).toEqual(['a', 'b', 'c']);
    expect(read([], { TETRAD_S_OLD_LEVEL: 'd' })).toBe('d');
    const file = join(folder, 'named.toml');
    writeFileSync(file, '[old]\nlevel = "e"');
    expect(read(['--config-file', file])).toBe('e');
    expect(load([], {}, '[http]\nlisten-port = 7').httpListenPort).toBe(7);
    expect(() => parseCommandLine(['-x', 'a'], named)).toThrow('-x: unknown option');
  });

  it('accepts what is for other commands of the program without reading it, but nothing else', () => {
    const own = { level: options.level };
    const config = (environment: Record<string, string>) =>
      loadConfig({
        service: 'test-service',
        options: own,
        otherOptions: options,
        commandLine: parseCommandLine([], own),
        environment,
      });
    const port = { TETRAD_TEST_SERVICE_HTTP_LISTEN_PORT: 'no port', TETRAD_TEST_SERVICE_LEVEL: 'low' };
    expect(config(port)).toEqual({ level: 'low' });
    expect(() => config({ TETRAD_TEST_SERVICE_LEVLE: 'low' })).toThrow('unknown variable');
    const file = join(folder, 'other.toml');
    writeFileSync(file, 'http-listen-port = 99999\nlevel = "high"\n');
    expect(config({ TETRAD_TEST_SERVICE_CONFIG_FILE: file })).toEqual({ level: 'high' });
  });

  it('leaves an option without default undefined', () => {
    expect(load().downstream).toBeUndefined();
  });
});

describe('bad input names the place', () => {
  it.each<[string[], Record<string, string>, string | undefined, string]>([
    [
      ['--htp-listen-port', '1'],
      {},
      undefined,
      '--htp-listen-port: unknown option (did you mean --http-listen-port?)',
    ],
    [['run'], {}, undefined, 'run: unexpected argument'],
    [['--level'], {}, undefined, '--level: requires a value'],
    [['--level', 'low', '--level', 'low'], {}, undefined, '--level: given twice'],
    [['--level', 'odd'], {}, undefined, '--level: must be one of low, high, not "odd"'],
    [
      ['--http-listen-port', '65536'],
      {},
      undefined,
      '--http-listen-port: must be a whole number from 0 to 65535, not "65536"',
    ],
    [
      ['--http-listen-port', '1e3'],
      {},
      undefined,
      '--http-listen-port: must be a whole number from 0 to 65535, not "1e3"',
    ],
    [
      ['--http-listen-port', ''],
      {},
      undefined,
      '--http-listen-port: must be a whole number from 0 to 65535, not ""',
    ],
    [
      ['--block-period', '5ms'],
      {},
      undefined,
      '--block-period: must be a duration such as 500ms, 30s, 5m or 1h, from 10ms to 1m, not "5ms"',
    ],
    [['--insecure=yes'], {}, undefined, '--insecure: must be true or false, not "yes"'],
    [
      ['--downstream', 'ftp://host'],
      {},
      undefined,
      '--downstream: must be a URL that starts with http:// or https://, not "ftp://host"',
    ],
    [
      [],
      { TETRAD_TEST_SERVICE_HTTP_LISTEN_PRT: '1' },
      undefined,
      'TETRAD_TEST_SERVICE_HTTP_LISTEN_PRT: unknown variable (did you mean TETRAD_TEST_SERVICE_HTTP_LISTEN_PORT?)',
    ],
    [
      [],
      { TETRAD_TEST_SERVICE_LEVEL: 'odd' },
      undefined,
      'TETRAD_TEST_SERVICE_LEVEL: must be one of low, high, not "odd"',
    ],
  ])('%j %j', (argv, environment, toml, message) => {
    expect(() => load(argv, environment, toml)).toThrow(
      expect.objectContaining({ name: 'OptionError', message }),
    );
  });

  it.each([
    ['colour = 1', 'Unknown option(s) in TOML configuration file: colour in FILE'],
    [
      'colour = 1\ninsecre = true',
      'Unknown option(s) in TOML configuration file: colour, insecre (did you mean insecure?) in FILE',
    ],
    ['# nothing', 'Empty TOML configuration file: FILE'],
    ['http-listen-port = "x"', 'http-listen-port in FILE: must be a whole number from 0 to 65535, not "x"'],
    ['http-listen-port = true', 'http-listen-port in FILE: must be a number or string'],
    ['level = 3', 'level in FILE: must be a string'],
    ['modules = [1]', 'modules in FILE: must be a list of strings'],
    ['[server]\nport = 1', 'Unknown option(s) in TOML configuration file: server-port in FILE'],
    ['level = "low"\nlevel = "low"', 'Invalid TOML configuration: FILE, line 2:'],
    ['level = ', 'Invalid TOML configuration: FILE, line 1:'],
  ])('TOML %j', (toml, message) => {
    const expected = message.replace('FILE', join(folder, 'service.toml'));
    expect(() => load([], {}, toml)).toThrow(expected);
  });

  it('names the missing file and its option', () => {
    expect(() => load(['--password-file', '/nowhere/secret'])).toThrow(
      '--password-file: cannot read /nowhere/secret: ENOENT: no such file or directory',
    );
    expect(() => load(['--config-file', '/nowhere/x.toml'])).toThrow(
      'TOML configuration file not found: /nowhere/x.toml',
    );
  });

  it('demands what is required', () => {
    const required = defineOptions({
      dataDir: option(pathOption('DIR'), { description: 'Data.', required: true }),
      genesisFile: option(pathOption(), { description: 'Genesis.', required: true }),
    });
    const commandLine = parseCommandLine([], required);
    expect(() => loadConfig({ service: 'node', options: required, commandLine, environment: {} })).toThrow(
      'Missing required option(s): --data-dir (or TETRAD_NODE_DATA_DIR), --genesis-file (or TETRAD_NODE_GENESIS_FILE)',
    );
  });

  it('keeps a number within its bounds', () => {
    const type = integerOption({ min: -1, max: 5 });
    expect(type.parse('-1')).toBe(-1);
    expect(() => type.parse('6')).toThrow('from -1 to 5');
  });
});

describe('files that options name', () => {
  it('are against the folder of the start, and not beside the configuration file without a word', () => {
    writeFileSync(join(folder, 'beside'), 'secret', { mode: 0o600 });
    for (const key of ['password-file', 'genesis-file'])
      expect(() => load([], {}, `${key} = "beside"`)).toThrow(
        `${key} in ${join(folder, 'service.toml')}: a relative path is against the folder in which the program is started, ` +
          `and ${join(process.cwd(), 'beside')} does not exist, but ${join(folder, 'beside')} does: start the program in ${folder}`,
      );
    expect(load([], {}, 'genesis-file = "nowhere"').genesisFile).toBe(join(process.cwd(), 'nowhere'));
    expect(load([], {}, `genesis-file = "${join(folder, 'beside')}"`).genesisFile).toBe(
      join(folder, 'beside'),
    );
    expect(load(['--genesis-file', 'beside'], {}, 'insecure = true').genesisFile).toBe(
      join(process.cwd(), 'beside'),
    );
  });

  it('are named when they hold a secret that others may read', () => {
    const table = defineOptions({
      passwordFile: option(secretFileOption(), { description: 'Password.' }),
      keyFiles: option(listOption(secretPathOption()), { description: 'Keys.' }),
      genesisFile: option(pathOption(), { description: 'Genesis.' }),
    });
    const path = join(folder, 'open');
    writeFileSync(path, 'secret');
    const cautions = (mode: number) => {
      chmodSync(path, mode);
      const argv = [
        '--password-file',
        path,
        '--key-files',
        `${folder}/absent,${path}`,
        '--genesis-file',
        path,
      ];
      const commandLine = parseCommandLine(argv, table);
      return cautionsOf(table, loadConfig({ service: 's', options: table, commandLine, environment: {} }));
    };
    expect(cautions(0o600)).toEqual([]);
    const said = `${path} can be read by others than its owner (mode 644): make it 600`;
    expect(cautions(0o644)).toEqual([`--password-file: ${said}`, `--key-files: ${said}`]);
  });
});

describe('secrets', () => {
  it('are read from the file without its line break, and do not show', () => {
    writeFileSync(join(folder, 'password'), 'pass word \n');
    const { passwordFile } = load(['--password-file', join(folder, 'password')]);
    expect(passwordFile?.reveal()).toBe('pass word ');
    expect(`${passwordFile} ${JSON.stringify({ passwordFile })}`).not.toContain('pass word');
  });

  it('are refused as a flag and taken from the file', () => {
    const url = 'postgresql://user:hunter2@db.example/tetrad';
    expect(() => load(['--database-url', url])).toThrow(/--database-url: holds a secret/);
    expect(() => load(['--database-url', url])).not.toThrow(/hunter2/);
    expect(databaseUrlOf(load([], {}, `database-url = "${url}"`))).toBe(url);
  });

  it('complete the database URL', () => {
    writeFileSync(join(folder, 'db-password'), 'p@ss/word\n');
    const config = load([
      '--database-url',
      'postgresql://user@db.example/tetrad',
      '--database-password-file',
      join(folder, 'db-password'),
    ]);
    expect(databaseUrlOf(config)).toBe('postgresql://user:p%40ss%2Fword@db.example/tetrad');
  });
});

describe('words without a flag', () => {
  it('are taken where a command has them, before, between and behind flags, a lone dash included', () => {
    const { words, values } = parseCommandLine(['one', '--http-listen-port', '7', '-', 'two'], options, {
      maxWords: 3,
    });
    expect([words, values.get('httpListenPort')]).toEqual([['one', '-', 'two'], ['7']]);
  });

  it('are refused where there are too many of them', () => {
    expect(() => parseCommandLine(['one', 'two'], options, { maxWords: 1 })).toThrow(
      'two: unexpected argument',
    );
    expect(() => parseCommandLine(['one'], options)).toThrow('one: unexpected argument');
  });
});
