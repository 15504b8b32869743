import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { writeKeyFile } from '@tetrad/keystore';
import { createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase, developmentAccounts } from '@tetrad/testkit';
import { silentLogger, type Address, type LogValues, type Logger } from '@tetrad/types';
import { composeSigner } from '../src/compose.js';
import { signerProgram } from '../src/signer-program.js';

export const CHAIN_ID = 1337;

const [account] = developmentAccounts(1, 'signer');
if (account === undefined) throw new Error('no account');
/** The account of the signer under test. */
export const ACCOUNT: Address = account.address;
export const PRIVATE_KEY = account.privateKey;

export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly reason?: string; readonly field?: string };
  };
}

export interface RunningSigner {
  readonly url: string;
  readonly opsUrl: string;
  /** A request with whatever headers, method and path; the answer as it comes. */
  request(options: RawRequest): Promise<RawAnswer>;
  post(body: string, headers?: RawRequest['headers']): Promise<RawAnswer>;
  call(method: string, params?: unknown): Promise<RpcAnswer & { readonly status: number }>;
  /** Warnings and errors that the signer has logged. */
  readonly complaints: readonly Complaint[];
  stop(): Promise<void>;
}

export interface Complaint {
  readonly message: string;
  readonly values: LogValues | undefined;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Buffer;
  readonly tls?: SecureContextOptions & { readonly rejectUnauthorized?: boolean };
}

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came, in turns. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The body in UTF-8. */
  readonly text: string;
}

export interface SignerSettings {
  readonly downstreamPort: number;
  readonly chainId?: number;
  readonly privateKey?: Uint8Array;
  /** Where keys come from; by default a key file of the private key. */
  readonly keyFlags?: readonly string[];
  readonly flags?: readonly string[];
  /** A shared database; a separate one when absent. */
  readonly databaseUrl?: string;
}

/** Starts a signer in this process, in front of the client at the port, with one key. */
export async function startSigner(
  settings: SignerSettings,
): Promise<RunningSigner & { readonly databaseUrl: string }> {
  const { downstreamPort, chainId = CHAIN_ID, privateKey = PRIVATE_KEY, flags = [] } = settings;
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-signer-'));
  const keyFlags = settings.keyFlags ?? (await writeKeyFlags(folder, privateKey));
  const words = ['--chain-id', String(chainId), '--downstream-http-port', String(downstreamPort)];
  const database = settings.databaseUrl === undefined ? await createTestDatabase('signer') : undefined;
  const databaseUrl = settings.databaseUrl ?? database?.url ?? '';
  const variables = { TETRAD_SIGNER_DATABASE_URL: databaseUrl };
  const signer = await launchSigner([...words, ...keyFlags, ...flags], variables);
  return {
    ...signer,
    databaseUrl,
    async stop() {
      await signer.stop();
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Writes a key file and its password.
 * @returns the flags for them
 */
export async function writeKeyFlags(folder: string, privateKey = PRIVATE_KEY): Promise<string[]> {
  const keyFile = await writeKeyFile(folder, { privateKey, password: 'secret', name: 'key', scryptN: 1024 });
  await writeFile(join(folder, 'password'), 'secret');
  return ['--key-file', keyFile, '--password-file', join(folder, 'password')];
}

/** Starts a signer in this process as its command line says, on free ports. */
export async function launchSigner(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningSigner> {
  const program = await signerProgram(words);
  const { options } = program;
  const argv = [...(program.translateArguments?.(words) ?? words)];
  // Calls take long on a busy machine.
  const defaults = {
    '--http-listen-port': '0',
    '--ops-listen-port': '0',
    '--rpc-request-timeout': '10m',
  };
  for (const [flag, value] of Object.entries(defaults)) if (!argv.includes(flag)) argv.unshift(flag, value);
  const config = loadConfig({
    service: 'signer',
    options,
    commandLine: parseCommandLine(argv, options),
    environment: program.translateEnvironment?.(variables) ?? variables,
    readConfigFile: program.readConfigFile,
  });
  const metrics = createMetrics({ service: 'signer', version: '0.0.0' });
  const complaints: Complaint[] = [];
  const complain = (message: string, values?: LogValues) => void complaints.push({ message, values });
  const logger: Logger = { ...silentLogger, warn: complain, error: complain, child: () => logger };
  const environment = { name: 'signer', version: '0.0.0', logger, metrics, tracing: undefined };
  const { url, opsUrl, stop } = await composeSigner(config, environment, program.emulation);
  const request = (options: RawRequest) => sendRequest(url, options);
  const post = (body: string, headers: RawRequest['headers'] = {}) =>
    request({ body, headers: { 'content-type': 'application/json', ...headers } });
  return {
    url,
    opsUrl,
    request,
    post,
    async call(method, params = []) {
      const { status, text } = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      return { ...(JSON.parse(text) as RpcAnswer), status };
    },
    complaints,
    stop,
  };
}

/** By node:http, which sends any header and keeps repeated ones apart. */
function sendRequest(
  url: string,
  { method = 'POST', path = '/', headers = {}, body, tls = {} }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const { protocol, hostname, port } = new URL(url);
    const target = { hostname, port, path, method, headers, agent: false, ...tls };
    const outgoing = (protocol === 'https:' ? httpsRequest : httpRequest)(target, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const content = Buffer.concat(chunks);
        done({
          status: response.statusCode ?? 0,
          statusText: response.statusMessage ?? '',
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: content,
          text: content.toString(),
        });
      });
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}
