import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../src/services.js';
import { serviceOf, type Container } from './manifest.js';

const run = promisify(execFile);
/** Services whose images start a command. */
const COMMANDS: Readonly<Record<string, string>> = { 'transaction-manager': 'serve', wallet: 'serve' };

/** What a service takes, by its own help. */
export interface ServiceWords {
  readonly command: string | undefined;
  readonly options: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
  /** Those on which it listens when no option says otherwise. */
  readonly ports: ReadonlySet<number>;
}

const asked = new Map<string, Promise<ServiceWords>>();

export function wordsOf(service: string): Promise<ServiceWords> {
  const words = asked.get(service) ?? ask(service);
  asked.set(service, words);
  return words;
}

async function ask(service: string): Promise<ServiceWords> {
  const command = COMMANDS[service];
  const words = [...(command === undefined ? [] : [command]), '--help'];
  const { stdout } = await run(process.execPath, [join(ROOT, `apps/${service}/bundle/main.js`), ...words]);
  const names = [...stdout.matchAll(/^ {2}--([a-z][a-z0-9-]*)/gm)].map(([, name = '']) => name);
  const [, prefix = ''] = /environment variable \((TETRAD_\w+?)_HTTP_LISTEN_HOST\)/.exec(stdout) ?? [];
  const variables = names.map((name) => `${prefix}_${name.toUpperCase().replaceAll('-', '_')}`);
  const ports = [...stdout.matchAll(/^ {2}--[a-z-]*listen-port PORT\n[^(]*\(default: (\d+)\)/gm)];
  return {
    command,
    options: new Set(names.map((name) => `--${name}`)),
    variables: new Set(variables),
    ports: new Set(ports.map(([, port]) => Number(port))),
  };
}

/** The usage of the program that migrates, which is the same in every image. */
export async function migrationUsage(): Promise<string> {
  const { stdout } = await run(process.execPath, [join(ROOT, 'apps/node/bundle/db.js'), '--help']);
  return stdout;
}

/** Words and variables of a container that its service does not know. */
export async function unknownWords(container: Container): Promise<string[]> {
  const { command, options, variables } = await wordsOf(serviceOf(container));
  const { args = [], env = [] } = container;
  const start = command !== undefined && args[0] === command ? 1 : 0;
  const flags = args.slice(start).map((word) => word.split('=', 1)[0] ?? '');
  const names = env.map(({ name }) => name).filter((name) => name.startsWith('TETRAD_'));
  return [
    ...flags.filter((flag) => !options.has(flag)),
    ...names.filter((name) => !variables.has(name)),
    ...(command !== undefined && start === 0 ? [`no ${command}`] : []),
  ];
}

/** Paths that options name and no volume of the container holds. */
export function unmountedPaths({ args = [], volumeMounts = [] }: Container): string[] {
  const paths = args.flatMap((word) => /^--[a-z-]+=(\/\S*)$/.exec(word)?.slice(1) ?? []);
  return paths.filter(
    (path) => !volumeMounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`)),
  );
}
