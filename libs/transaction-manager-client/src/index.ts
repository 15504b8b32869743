export type { MessageOutcome, PartyMessage, ReceivedMessage } from './party-messages.js';
export { ManagerClient, type StoredRaw } from './manager-client.js';
export type { ManagerClientOptions, ManagerTls } from './connection.js';
export { watchManager } from './watch-manager.js';
export { featuresOf, type ManagerFeatures } from './features.js';
export type { PrivacyGroup, PrivatePayload, SentPayload } from './answers.js';
export { rejectionText, type Found, type Outcome, type Refused, type Unknown } from './outcome.js';
export type { PrivacyMetadata, SendRequest, SendSignedRequest } from './requests.js';
