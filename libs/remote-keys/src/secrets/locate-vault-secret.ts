import { resolve } from 'node:path';
import type { VaultCertificate, VaultTrust } from '../vault/vault-trust.js';
import { vaultLoginOf, type VaultLogin } from '../vault/vault-login.js';
import type { SecretFile } from './secret-location.js';
import { lineIn, needed, variable, type SectionContext } from './section-context.js';
import type { VaultSecretSection } from './secret-sections.js';

/** @throws TomlSectionError, FileError */
export async function locateVaultSecret(
  section: VaultSecretSection,
  context: SectionContext,
): Promise<Omit<SecretFile, 'path'>> {
  const { mount, name, version, member, namespace, timeout: timeoutMs } = section;
  const { protocol, hostname, port } = new URL(section.url);
  const isTls = protocol === 'https:';
  const query = version === undefined ? '' : `?version=${version}`;
  const request = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORTS[isTls ? 'https' : 'http'] : Number(port),
    path: `/v1/${pathOf(mount)}/data/${pathOf(name)}${query}`,
    namespace,
    timeoutMs,
    trust: isTls ? await trustOf(section, context) : undefined,
    certificate: isTls ? certificateOf(section, context) : undefined,
    login: await loginOf(section, context),
  };
  const publicMember = section['public-member'];
  return {
    secret: { kind: 'vault', request, member },
    publicKey: publicMember === undefined ? undefined : { kind: 'vault', request, member: publicMember },
  };
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Names may have folders. */
function pathOf(name: string): string {
  return name
    .split('/')
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');
}

async function loginOf(section: VaultSecretSection, context: SectionContext): Promise<VaultLogin> {
  const { 'auth-method': method, 'auth-mount': authMount, role, 'jwt-file': jwtFile } = section;
  const why = `auth-method ${method}`;
  switch (method) {
    case 'environment':
      return environmentLogin(section, context);
    case 'token':
      return { method, token: await lineIn(needed(section, 'token-file', why), 'token-file', context) };
    case 'approle': {
      const roleId = needed(section, 'role-id', why);
      const secretIdFile = needed(section, 'secret-id-file', why);
      return vaultLoginOf({ authMethod: method, authMount, roleId, secretIdFile }, context.folder);
    }
    case 'kubernetes':
    case 'jwt':
      if (method === 'jwt') needed(section, 'jwt-file', why);
      needed(section, 'role', why);
      return vaultLoginOf({ authMethod: method, authMount, role, jwtFile }, context.folder);
  }
}

/** By the variables that a Tessera has. Source: Consensys/doc.tessera, "Configuring use of Hashicorp Vault" */
function environmentLogin(
  { 'auth-mount': mount = 'approle' }: VaultSecretSection,
  context: SectionContext,
): VaultLogin {
  const { HASHICORP_TOKEN: token, HASHICORP_ROLE_ID: roleId } = context.variables;
  if (!roleId && token) return { method: 'token', token };
  return {
    method: 'approle',
    mount,
    roleId: variable('HASHICORP_ROLE_ID', context),
    secretId: { value: variable('HASHICORP_SECRET_ID', context) },
  };
}

async function trustOf(section: VaultSecretSection, context: SectionContext): Promise<VaultTrust> {
  const { 'trust-store': store, 'trust-store-type': type } = section;
  if (store === undefined) return { type: 'SYSTEM' };
  const file = resolve(context.folder, store);
  if (type === 'PEM' || type === 'KNOWN_SERVERS') return { type, file };
  const passwordFile = section['trust-store-password-file'];
  const password =
    passwordFile === undefined
      ? (context.variables['HASHICORP_CLIENT_TRUSTSTORE_PWD'] ?? '')
      : await lineIn(passwordFile, 'trust-store-password-file', context);
  return { type, file, password };
}

function certificateOf(
  section: VaultSecretSection,
  { folder }: SectionContext,
): VaultCertificate | undefined {
  if (section['client-cert-file'] === undefined && section['client-key-file'] === undefined) return undefined;
  return {
    certFile: resolve(folder, needed(section, 'client-cert-file', 'client-key-file')),
    keyFile: resolve(folder, needed(section, 'client-key-file', 'client-cert-file')),
  };
}
