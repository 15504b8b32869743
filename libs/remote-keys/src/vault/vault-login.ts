import { resolve } from 'node:path';
import { z } from 'zod';

/** How a signer gets the token with which it reads a vault. */
export type VaultLogin = { readonly method: 'token'; readonly token: string } | VaultRoleLogin;

/** A login of which a vault makes a token; the secret of it is in a file, which a platform may renew. */
export type VaultRoleLogin =
  | {
      readonly method: 'approle';
      readonly mount: string;
      readonly roleId: string;
      /** The secret id itself only where the environment has it, as that of a Tessera. */
      readonly secretId: { readonly file: string } | { readonly value: string };
    }
  /** By a token of Kubernetes, or of another issuer. */
  | {
      readonly method: 'kubernetes' | 'jwt';
      readonly mount: string;
      readonly role: string;
      readonly jwtFile: string;
    };

const VAULT_LOGINS = ['token', 'approle', 'kubernetes', 'jwt'] as const;

/** Where Kubernetes puts the token of a pod. Source: its documentation, "Access the API from within a Pod" */
const KUBERNETES_JWT_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

const text = z.string().min(1, 'must not be empty');

/** Members of signer files and key configurations; all but `token` are ours. */
export const vaultLoginMembers = {
  token: text.optional(),
  authMethod: z.enum(VAULT_LOGINS, `must be one of ${VAULT_LOGINS.join(', ')}`).default('token'),
  /** Path of the login below `/v1/auth/`. */
  authMount: text.optional(),
  role: text.optional(),
  roleId: text.optional(),
  secretIdFile: text.optional(),
  jwtFile: text.optional(),
};

type LoginMembers = z.output<z.ZodObject<typeof vaultLoginMembers>>;
type LoginMember = 'token' | 'role' | 'roleId' | 'secretIdFile' | 'jwtFile';

const NEEDED: Readonly<Record<(typeof VAULT_LOGINS)[number], readonly LoginMember[]>> = {
  token: ['token'],
  approle: ['roleId', 'secretIdFile'],
  kubernetes: ['role'],
  jwt: ['role', 'jwtFile'],
};

/** What is missing for the login; undefined when nothing is. */
export function missingOfLogin(members: Partial<LoginMembers>): LoginMember | undefined {
  return NEEDED[members.authMethod ?? 'token'].find((name) => members[name] === undefined);
}

/** For `superRefine`. */
export function checkVaultLogin(members: LoginMembers, context: z.RefinementCtx): void {
  const missing = missingOfLogin(members);
  if (missing === undefined) return;
  const message = missing === 'token' ? 'is required' : `is required with authMethod ${members.authMethod}`;
  context.addIssue({ code: 'custom', path: [missing], message });
}

/**
 * @param members - that `checkVaultLogin` takes
 * @param folder - to which their paths are relative
 */
export function vaultLoginOf(members: LoginMembers, folder: string): VaultLogin {
  const { authMethod: method, authMount: mount = method, role = '', token = '' } = members;
  switch (method) {
    case 'token':
      return { method, token };
    case 'approle': {
      const { roleId = '', secretIdFile = '' } = members;
      return { method, mount, roleId, secretId: { file: resolve(folder, secretIdFile) } };
    }
    case 'kubernetes':
    case 'jwt':
      return { method, mount, role, jwtFile: resolve(folder, members.jwtFile ?? KUBERNETES_JWT_FILE) };
  }
}
