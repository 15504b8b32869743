export type { UnavailableKey } from './key-health.js';
export type { ServiceKey, ServiceLimits } from './key-service.js';
export { RemoteKey, type RemoteKeyOptions } from './remote-key.js';
export { RemoteKeyError, type RemoteKeyFault } from './remote-key-error.js';
export { ServiceGate } from './service-gate.js';
export type { Pkcs11KeyName, Pkcs11TokenSettings } from './pkcs11/pkcs11-settings.js';
export { Pkcs11Token } from './pkcs11/pkcs11-token.js';
export { AwsKms } from './aws-kms/aws-kms.js';
export type { AwsKmsSettings } from './aws-kms/aws-kms-settings.js';
