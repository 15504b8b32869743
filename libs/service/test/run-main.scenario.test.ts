import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';

const fixture = join(import.meta.dirname, 'fixture-service.mjs');
const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

interface Run {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** The first log line with the message, once it is there. */
  line(message: string): Promise<Record<string, unknown>>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function start(flags: readonly string[] = [], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [fixture, ...flags], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  const lines: Record<string, unknown>[] = [];
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    // The text after the last line break is not a whole line yet.
    const whole = stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'));
    lines.splice(0, lines.length, ...whole.map((line) => JSON.parse(line) as Record<string, unknown>));
    child.emit('lines');
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.on('close', (code) => {
      child.emit('lines');
      done({ code, stdout, stderr });
    });
  });
  const line = (message: string) =>
    new Promise<Record<string, unknown>>((done, fail) => {
      const look = () => {
        const found = lines.find((candidate) => candidate['message'] === message);
        if (found !== undefined) done(found);
        else if (child.exitCode !== null) fail(new Error(`ended without "${message}": ${stdout}${stderr}`));
      };
      child.on('lines', look);
      look();
    });
  return { child, lines, line, ended };
}

describe('a service process', () => {
  it('answers running requests when it gets SIGTERM, and ends with 0', async () => {
    const run = start();
    const { url } = await run.line('service started');
    const answer = fetch(String(url), { method: 'POST' }).then((response) => response.text());
    await run.line('request taken');
    run.child.kill('SIGTERM');
    expect(await answer).toBe('done');
    expect((await run.ended).code).toBe(0);
    expect(run.lines.map(({ message }) => message)).toEqual([
      'service started',
      'request taken',
      'stop requested',
      'service stopping',
      'service stopped',
    ]);
  });

  it('ends at once at the second signal', async () => {
    const run = start(['--behaviour', 'never-stop']);
    await run.line('service started');
    run.child.kill('SIGINT');
    await run.line('service stopping');
    run.child.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
  });

  it('does not wait for ever for what does not stop', async () => {
    const run = start(['--behaviour', 'never-stop', '--shutdown-timeout', '200ms']);
    await run.line('service started');
    run.child.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toBe('tetrad fixture: did not stop within 1200 ms\n');
  });

  it('prints its help and its version', async () => {
    const help = await start(['--help']).ended;
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: tetrad fixture \[options\]\n\nServes a test\.\n/);
    expect(await start(['--version']).ended).toEqual({ code: 0, stdout: '9.9.9\n', stderr: '' });
  });
});

describe('one clear line and no stack', () => {
  it.each<[string, string[], Record<string, string>, number, string]>([
    ['an unknown flag', ['--colour'], {}, 2, '--colour: unknown option'],
    [
      'a bad variable',
      [],
      { TETRAD_FIXTURE_LOG_LEVEL: 'loud' },
      2,
      'TETRAD_FIXTURE_LOG_LEVEL: must be one of debug, info, warn, error, off, not "loud"',
    ],
    ['a missing file', ['--config-file', '/nowhere'], {}, 1, 'TOML configuration file not found: /nowhere'],
    ['a rejection of the service', ['--behaviour', 'refuse'], {}, 1, 'the genesis file is of another chain'],
  ])('for %s', async (_, flags, environment, code, line) => {
    expect(await start(flags, environment).ended).toEqual({
      code,
      stdout: '',
      stderr: `tetrad fixture: ${line}\n`,
    });
  });

  it('for a port that is taken', async () => {
    const blocker = createTcpServer();
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const { port } = blocker.address() as AddressInfo;
    expect(await start(['--http-listen-port', String(port)]).ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `tetrad fixture: --http-listen-port: port ${port} on 127.0.0.1 is already in use\n`,
    });
    blocker.close();
  });
});

describe('a fault', () => {
  it.each([
    ['at start', 'break', 'unexpected fault at start', 'a bug'],
    ['later on', 'break-later', 'unexpected fault, ending', 'a late bug'],
  ])(
    '%s is one log line with its stack, and the process ends with 70',
    async (_, behaviour, message, text) => {
      const run = start(['--behaviour', behaviour]);
      expect((await run.ended).code).toBe(70);
      expect(run.lines.find((line) => line['message'] === message)).toMatchObject({
        level: 'error',
        error: { name: 'TypeError', message: text, stack: expect.stringContaining('fixture-service.mjs') },
      });
    },
  );
});

describe('traces', () => {
  it('go to the collector of the OpenTelemetry variables, under the caller’s trace', async () => {
    const received: string[] = [];
    const collector = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push(body);
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const run = start([], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: 'named-by-variable' });
    const { url } = await run.line('service started');
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await fetch(String(url), {
      method: 'POST',
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    collector.close();
    const [trace] = received;
    expect(trace).toContain(traceId);
    expect(trace).toContain('"POST /"');
    expect(trace).toContain('named-by-variable');
  });
});
