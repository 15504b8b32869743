// Runs a command that ends when its owner ends, however that ends: run-owned.mjs OWNER-PID LOG COMMAND…
//
// Its output goes to standard error, and into the file LOG unless that is "-", or "service" for a command that runs until it is
// stopped: of other ones it says how long they have been running. Its exit code is that of the command.
// The launcher needs this before anything is installed or built, so it imports Node's own modules only.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';

/** Shorter than the time until a launcher that replaces a killed one starts work. */
const LOOK_MS = 100;
/** npm and the compiler print nothing for minutes. */
const SAY_MS = 10_000;

const [owner, logFile, command, ...args] = process.argv.slice(2);
const isService = logFile === 'service';
const output = isService || logFile === '-' ? process.stderr : 'pipe';
// Before the command is started: a signal that arrived in between would end this process and leave the command.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
process.on('exit', () => end('SIGKILL'));
// In its own process group, so that children of the command end with it.
const child = spawn(command, args, { detached: true, stdio: ['ignore', output, output] });

function end(signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

function sayHowLong() {
  const started = Date.now();
  const name = [command, ...args.filter((word) => !word.startsWith('-'))].join(' ');
  setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stderr.write(`tetrad: ${name} has been running for ${seconds} s\n`);
  }, SAY_MS).unref();
}

if (output === 'pipe') {
  const log = createWriteStream(logFile);
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    stream.pipe(process.stderr, { end: false });
  }
}
// A process whose parent ends gets another parent at once.
setInterval(() => {
  if (process.ppid !== Number(owner)) end('SIGKILL');
}, LOOK_MS).unref();
if (!isService) sayHowLong();
child.on('error', (error) => process.stderr.write(`${command}: ${error.message}\n`));
// Once its output is written, too.
child.on('close', (code) => (process.exitCode = code ?? 1));
