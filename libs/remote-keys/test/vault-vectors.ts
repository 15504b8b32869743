import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Path of a file with certificates, or with the key of the server. */
export const vector = (name: string) => join(import.meta.dirname, 'vectors', name);

/** What a server needs to show the certificate `vault.crt`. */
export const VAULT_TLS = { cert: readFileSync(vector('vault.crt')), key: readFileSync(vector('vault.key')) };
