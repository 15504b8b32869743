export { assertCanServe, type ServedWith } from './assert-can-serve.js';
export { AuthenticationError } from './authentication-error.js';
export type { AuthenticationExtras } from './authentication.js';
export { callerOf, createCaller, type Caller } from './caller.js';
export {
  CallbackFailedError,
  CallbackNotAllowedError,
  createCallbackSender,
  type CallbackSender,
} from './callback-sender.js';
export { parseCommandLine, type CommandLine } from './command-line.js';
export { nearest, packageVersion } from './command-words.js';
export {
  databaseOptions,
  databaseSettingsOf,
  databaseUrlOf,
  databaseUrlOption,
  databaseFolderOption,
  ownDatabaseOptions,
} from './database-options.js';
export {
  defineOptions,
  flagOf,
  keysByName,
  option,
  variableOf,
  type ConfigOf,
  type OptionDefinition,
  type OptionTable,
} from './define-options.js';
export { fileOptions, type FileKind, type FileText, type FileValues } from './file-options.js';
export { createCorsWriter, type CorsRule } from './cors.js';
export { createTokenKey, issueToken, tokenPublicKey, type TokenClaims } from './issue-token.js';
export { listenOptions } from './listen-options.js';
export { createHostRule, type HostRule } from './host-allow-list.js';
export { closeGracefully, createHttpListener, listen, type ListenAddress } from './listen.js';
export { configValues, type ConfigFileReader } from './config-file.js';
export { loadConfig } from './load-config.js';
export { createLogger, type LogLevel, type LogThreshold } from './logger.js';
export { createMetrics, type ServiceMetrics } from './metrics.js';
export { formatHelp, formatOptionReference } from './option-help.js';
export {
  booleanOption,
  choiceOption,
  codecOption,
  durationOption,
  fractionOption,
  integerOption,
  listOption,
  pathOption,
  secretPathOption,
  portOption,
  readTextFile,
  secretFileOption,
  textOption,
  urlOption,
  type OptionType,
} from './option-types.js';
export { TokenFile, type TokenFileOptions } from './token-file.js';
export { printLine } from './print-line.js';
export {
  READINESS_CLASSES,
  type ClassifiedCheck,
  type ReadinessCheck,
  type ReadinessChecks,
  type ReadinessClass,
  type ReadinessReason,
} from './readiness.js';
export type { RequestHandler, UpgradeHandler } from './request-listener.js';
export { CommandList, type CommandReply } from './commands/command-list.js';
export { COMMAND_EXIT, runCommand, type CommandShape, type CommandTerminal } from './commands/run-command.js';
export { runMain, type MainDefinition, type ServiceEnvironment } from './run-main.js';
export { Secret } from './secret.js';
export { SettingsConversion, tomlOf, type ConvertedFile } from './settings-conversion.js';
export { formatSettings, type SettingRow } from './settings-table.js';
export { plainServiceOptions, rpcLimitsOf, serviceOptions, type ServiceConfig } from './service-options.js';
export { startService, type RunningService, type ServiceDefinition } from './start-service.js';
export { OptionError, StartupError, reasonOf } from './startup-error.js';
export { createSharedSecretToken, type SharedSecret } from './shared-secret-tokens.js';
export { readFingerprints, showsKnownCertificate, type KnownCertificates } from './tls/fingerprints.js';
export { missingArgument, readKeystoreFile, type TlsIdentity } from './tls/keystore-file.js';
export { tlsServerOptions, type ServerTls } from './tls/server-options.js';
export {
  assertUsable,
  readAuthorities,
  readCertificatePair,
  readClientTls,
  type CertificatePair,
  type ClientTls,
} from './tls/tls-files.js';
export { startTracing } from './tracing/start-tracing.js';
export type { RequestTracing } from './tracing/request-tracing.js';
