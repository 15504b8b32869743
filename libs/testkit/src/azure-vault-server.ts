import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AzureTokens } from './azure-tokens.js';
import { AzureVault, type AzureAnswer, type AzureKeyDescription } from './azure-vault.js';
import { noteStandIn } from './stand-in.js';

/** What a request gets in place of its answer. */
export type AzureFault = { readonly status: number; readonly body?: object } | 'hang';

/** A vault and the service that gives tokens for it, on one port, as the REST reference of Azure Key Vault describes them. */
export interface AzureVaultServer {
  readonly url: string;
  /** Requests that were answered, such as `POST /keys/desk/1/sign`. */
  readonly requests: readonly string[];
  readonly clientSecret: string;
  /** The key with the name has this version from now on; older ones go on signing. */
  addVersion(keyName: string, privateKey: Uint8Array): void;
  /** A secret, by its name; by name, slash and version where a version is asked for. */
  readonly secrets: Map<string, string>;
  /** What the list of keys says of it. */
  describe(keyName: string, description: AzureKeyDescription): void;
  /** Tokens that were given are not accepted any more. */
  withdrawTokens(): void;
  setFault(fault: ((request: string) => AzureFault | undefined) | undefined): void;
  stop(): Promise<void>;
}

/** Starts the server. Source: REST reference of Azure Key Vault 7.4, Get Keys, Create Key, Get Key, Sign, Get Secret and Set Secret; Microsoft identity platform, client credentials flow */
export async function startAzureVaultServer(): Promise<AzureVaultServer> {
  noteStandIn('Azure Key Vault', 'its REST reference 7.4; Lowkey Vault, an emulator, could not be had');
  const clientSecret = 'azure-secret-not-to-be-shown';
  const vault = new AzureVault();
  const tokens = new AzureTokens(clientSecret);
  const requests: string[] = [];
  let fault: ((request: string) => AzureFault | undefined) | undefined;
  const answer = (request: IncomingMessage, path: string, sent: string): AzureAnswer =>
    tokens.answer(request, path, sent) ?? vault.answer(request, path, sent);

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const line = `${request.method ?? ''} ${path}`;
      requests.push(line);
      const own = fault?.(line);
      if (own === 'hang') return;
      const { status, body } = own ?? answer(request, path, Buffer.concat(chunks).toString('utf8'));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    clientSecret,
    secrets: vault.secrets,
    addVersion: (keyName, privateKey) => vault.addVersion(keyName, privateKey),
    describe: (keyName, description) => vault.describe(keyName, description),
    withdrawTokens: () => tokens.withdraw(),
    setFault: (next) => void (fault = next),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
