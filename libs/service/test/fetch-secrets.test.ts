import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseCommandLine } from '../src/command-line.js';
import { defineOptions, option } from '../src/define-options.js';
import { fetchSecrets } from '../src/fetch-secrets.js';
import { cautionsOf, loadConfig } from '../src/load-config.js';
import { secretFileOption } from '../src/option-types.js';

const PASSWORD = 'pass-word-of-tests';
const VAULT_TOKEN = 'hvs.token-of-tests';
const options = defineOptions({
  passwordFile: option(secretFileOption(), { description: 'Password.' }),
  tokenFile: option(secretFileOption(), { description: 'Token.' }),
});

let folder: string;
/** Answers as HashiCorp Vault; this library cannot use the testkit, which uses it. */
let vault: Server;
let answer: { readonly status: number; readonly body: object };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tetrad-fetch-'));
  vault = createServer((_request, response) =>
    response.writeHead(answer.status).end(JSON.stringify(answer.body)),
  );
  await new Promise<void>((done) => vault.listen(0, '127.0.0.1', done));
  const { port } = vault.address() as AddressInfo;
  writeFileSync(join(folder, 'token'), 'a token\n', { mode: 0o600 });
  writeFileSync(
    join(folder, 'password.toml'),
    `[secret]\ntype = "vault-secret"\nurl = "http://127.0.0.1:${port}"\nname = "desk"\n`,
    { mode: 0o644 },
  );
});
afterAll(() => {
  vault.close();
  rmSync(folder, { recursive: true });
});

function load() {
  const argv = ['--password-file', join(folder, 'password.toml'), '--token-file', join(folder, 'token')];
  const commandLine = parseCommandLine(argv, options);
  return loadConfig({ service: 's', options, commandLine, environment: {} });
}

describe('a secret in a service', () => {
  it('is read beside those in files, with its line break dropped, and does not show', async () => {
    answer = { status: 200, body: { data: { data: { value: `${PASSWORD}\n` } } } };
    const config = await fetchSecrets(load(), { HASHICORP_TOKEN: VAULT_TOKEN });
    expect([config.passwordFile?.reveal(), config.tokenFile?.reveal()]).toEqual([PASSWORD, 'a token']);
    expect(JSON.stringify(config)).not.toContain(PASSWORD);
    expect(cautionsOf(options, config)).toEqual([]);
  });

  it('is not there before it was read', () => {
    expect(() => load().passwordFile?.reveal()).toThrow('password.toml was not read yet');
  });

  it('that cannot be read ends the start with the option and the answer', async () => {
    answer = { status: 403, body: { errors: [PASSWORD] } };
    const error = await fetchSecrets(load(), { HASHICORP_TOKEN: VAULT_TOKEN }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'STARTUP',
      message: expect.stringMatching(/^--password-file: Vault http.*\/desk: answered 403/),
    });
    expect(String(error)).not.toMatch(new RegExp(`${PASSWORD}|${VAULT_TOKEN}`));
  });
});
