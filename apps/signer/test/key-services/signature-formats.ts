import type { IncomingMessage } from 'node:http';
import { derOf } from '@tetrad/testkit';
import { compactFromDer } from '../../../../libs/remote-keys/src/aws-kms/der-signature.js';

type Json = Readonly<Record<string, unknown>>;

/** How the messages of a key service look. */
export interface SignatureFormat {
  readonly contentType: string;
  /** Whether a call has a digest signed, asks for a public key, or for something else, such as a token. */
  kindOf(request: IncomingMessage): 'sign' | 'key' | undefined;
  digestOf(request: Json): Uint8Array;
  /** The answer with another signature: r (32) ‖ s (32). */
  withSignature(answer: Json, change: (compact: Uint8Array) => Uint8Array): Json;
  /** What stays the same of the header while the credentials do. */
  credentialsOf(authorization: string): string;
  readonly throttled: { readonly status: number; readonly body: Json };
  readonly denied: { readonly status: number; readonly body: Json };
  readonly expired: { readonly status: number; readonly body: Json };
}

function withDer(answer: Json, member: string, change: (compact: Uint8Array) => Uint8Array): Json {
  const compact = compactFromDer(Buffer.from(String(answer[member]), 'base64'));
  if (compact === undefined) throw new TypeError('the service gave no signature');
  const changed = change(compact);
  return { ...answer, [member]: derOf(changed.slice(0, 32), changed.slice(32)).toString('base64') };
}

/** Source: API reference of AWS KMS, Sign and GetPublicKey */
export const AWS_KMS: SignatureFormat = {
  contentType: 'application/x-amz-json-1.1',
  kindOf({ headers }) {
    const target = headers['x-amz-target'];
    if (target === 'TrentService.Sign') return 'sign';
    return target === 'TrentService.GetPublicKey' ? 'key' : undefined;
  },
  digestOf: ({ Message }) => Buffer.from(String(Message), 'base64'),
  withSignature: (answer, change) => withDer(answer, 'Signature', change),
  credentialsOf: (authorization) => authorization.split('Credential=')[1]?.split('/')[0] ?? '',
  throttled: { status: 400, body: { __type: 'ThrottlingException' } },
  denied: { status: 400, body: { __type: 'AccessDeniedException' } },
  expired: { status: 400, body: { __type: 'ExpiredTokenException' } },
};

/** Source: REST reference of Azure Key Vault, Sign and Get Key */
export const AZURE_KEY_VAULT: SignatureFormat = {
  contentType: 'application/json',
  kindOf({ url = '' }) {
    const path = url.split('?')[0] ?? '';
    if (path.endsWith('/sign')) return 'sign';
    return path.startsWith('/keys/') ? 'key' : undefined;
  },
  digestOf: ({ value }) => Buffer.from(String(value), 'base64url'),
  withSignature: (answer, change) => ({
    ...answer,
    value: Buffer.from(change(Buffer.from(String(answer['value']), 'base64url'))).toString('base64url'),
  }),
  credentialsOf: (authorization) => authorization,
  throttled: { status: 429, body: { error: { code: 'Throttled' } } },
  denied: { status: 403, body: { error: { code: 'Forbidden' } } },
  expired: { status: 401, body: { error: { code: 'Unauthorized' } } },
};

/** Source: Cloud KMS API v1, asymmetricSign and getPublicKey */
export const GOOGLE_CLOUD_KMS: SignatureFormat = {
  contentType: 'application/json',
  kindOf({ url = '' }) {
    if (url.endsWith(':asymmetricSign')) return 'sign';
    return url.endsWith('/publicKey') ? 'key' : undefined;
  },
  digestOf: ({ digest }) => Buffer.from(String((digest as Json)['sha256']), 'base64'),
  withSignature: (answer, change) => withDer(answer, 'signature', change),
  credentialsOf: (authorization) => authorization,
  throttled: { status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } },
  denied: { status: 403, body: { error: { status: 'PERMISSION_DENIED' } } },
  expired: { status: 401, body: { error: { status: 'UNAUTHENTICATED' } } },
};
