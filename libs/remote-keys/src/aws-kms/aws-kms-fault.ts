import { RemoteKeyError, type RemoteKeyFault } from '../remote-key-error.js';

/** Names of errors whose meaning differs from "the service failed". Source: API references of AWS KMS (Sign, GetPublicKey) and of AWS Secrets Manager (GetSecretValue) */
const FAULTS: Readonly<Record<string, RemoteKeyFault>> = {
  ThrottlingException: 'THROTTLED',
  LimitExceededException: 'THROTTLED',
  TooManyRequestsException: 'THROTTLED',
  AccessDeniedException: 'DENIED',
  UnrecognizedClientException: 'DENIED',
  InvalidSignatureException: 'DENIED',
  InvalidClientTokenId: 'DENIED',
  IncompleteSignature: 'DENIED',
  ExpiredTokenException: 'DENIED',
  CredentialsProviderError: 'DENIED',
  TimeoutError: 'TIMED_OUT',
  NotFoundException: 'MISSING',
  ResourceNotFoundException: 'MISSING',
  InvalidRequestException: 'MISSING',
  DecryptionFailure: 'DENIED',
  DisabledException: 'MISSING',
  KMSInvalidStateException: 'MISSING',
  KeyUnavailableException: 'MISSING',
  InvalidKeyUsageException: 'UNSUPPORTED',
  UnsupportedOperationException: 'UNSUPPORTED',
  ValidationException: 'UNSUPPORTED',
};

/** The connection was not made, so that nothing was signed. */
const NOT_CONNECTED = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b/;

/** What the SDK threw. Its texts may hold identities and parts of requests, so the name of the error is all that is kept. */
export function awsKmsFault(error: unknown, where: string, permission: string): RemoteKeyError {
  if (error instanceof RemoteKeyError) return error;
  const { name, code, message, $metadata } = error as {
    readonly name?: string;
    readonly code?: string;
    readonly message?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const known = name === undefined ? undefined : FAULTS[name];
  const text = /^\w{1,60}$/.test(name ?? '') ? name : 'an error';
  if (known === 'DENIED') return new RemoteKeyError('DENIED', `${where}: ${text}; ${permission} is needed`);
  if (known !== undefined) return new RemoteKeyError(known, `${where}: ${text}`);
  // The SDK wraps some errors of the system, and keeps their text only.
  const system = NOT_CONNECTED.exec(code ?? message ?? '')?.[0];
  if (system !== undefined) return new RemoteKeyError('UNREACHABLE', `${where}: ${system}`);
  const status = $metadata?.httpStatusCode;
  if (status === 429) return new RemoteKeyError('THROTTLED', `${where}: HTTP 429`);
  return new RemoteKeyError('FAILED', `${where}: ${text}${status === undefined ? '' : ` (HTTP ${status})`}`);
}
