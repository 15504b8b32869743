import { createInterface } from 'node:readline/promises';
import { packageVersion } from '@tetrad/service';
import { commands } from './commands/command-list.js';
import { EXIT } from './commands/define-command.js';

const version = packageVersion(import.meta.url);
const argv = process.argv.slice(2);
const terminal = {
  say: (line: string) => void process.stdout.write(`${line}\n`),
  warn: (line: string) => void process.stderr.write(`tetrad rollup: ${line}\n`),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask } : {}),
};

process.exitCode = await run();

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`tetrad rollup: ${question} (y/N) `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function run(): Promise<number> {
  const [first = ''] = argv;
  if (first === '' || ['--help', '-h', 'help'].includes(first)) {
    process.stdout.write(commands.help());
    return first === '' ? EXIT.badOptions : EXIT.done;
  }
  if (first === '--version') {
    terminal.say(version);
    return EXIT.done;
  }
  const found = commands.find(argv);
  if (found !== undefined) {
    const { runCommand } = await import('./commands/run-command.js');
    const surroundings = { terminal, environment: process.env, signal: interruption(), version };
    return runCommand(found.command, found.rest, surroundings);
  }
  const { output, error, code } = commands.replyTo(argv, version);
  if (output !== undefined) process.stdout.write(output);
  if (error !== undefined) terminal.warn(error);
  return code;
}

/** The first signal asks the command to end, the second one ends it. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
