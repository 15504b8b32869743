import {
  booleanOption,
  choiceOption,
  defineOptions,
  durationOption,
  listOption,
  option,
  pathOption,
  secretFileOption,
  textOption,
  urlOption,
} from '@tetrad/service';

const AWS = 'Keys in AWS KMS';
const AWS_SECRETS = 'Keys in AWS Secrets Manager';
const AZURE = 'Keys in Azure Key Vault';

/** web3signer waits as long. Source: PicoCliAzureKeyVaultParameters */
const AZURE_TIMEOUT_MS = 60_000;
const MAX_AZURE_TIMEOUT_MS = 600_000;

/** A vault of Azure, and how a program says to it who it is. */
export const azureVaultOptions = defineOptions({
  azureVaultAuthMode: option(
    choiceOption(
      'CLIENT_SECRET',
      'SYSTEM_ASSIGNED_MANAGED_IDENTITY',
      'USER_ASSIGNED_MANAGED_IDENTITY',
      'WORKLOAD_IDENTITY',
    ),
    { group: AZURE, description: 'How the signer says who it is.', default: 'CLIENT_SECRET' },
  ),
  azureVaultName: option(textOption('NAME'), { group: AZURE, description: 'Name of the vault.' }),
  azureTenantId: option(textOption('ID'), { group: AZURE, description: 'Tenant of the client.' }),
  azureClientId: option(textOption('ID'), {
    group: AZURE,
    description: 'Client, or one of several managed identities of the host.',
  }),
  azureClientSecretFile: option(secretFileOption(), {
    group: AZURE,
    description: 'File with the client secret.',
  }),
  azureFederatedTokenFile: option(pathOption(), {
    group: AZURE,
    description: 'File with the token of a workload identity; by default where Kubernetes has it.',
  }),
  azureTimeout: option(durationOption({ min: 1, max: MAX_AZURE_TIMEOUT_MS }), {
    group: AZURE,
    description: 'Time limit for an answer of the vault.',
    default: AZURE_TIMEOUT_MS,
  }),
  azureEndpointOverride: option(urlOption('http', 'https'), {
    group: AZURE,
    description: 'URL of the vault, in other clouds or for a managed HSM; in place of its name.',
  }),
  azureAuthorityOverride: option(urlOption('http', 'https'), {
    group: AZURE,
    description: 'URL of the service that gives tokens, in other clouds.',
  }),
});

/** All keys of a cloud service, as web3signer loads them; those that name files, URLs of Azure, and its workload identity are ours. */
export const cloudKeyOptions = defineOptions({
  awsKmsEnabled: option(booleanOption(), {
    group: AWS,
    description: 'Load the enabled secp256k1 keys of a region (as in web3signer).',
    default: false,
  }),
  awsKmsAuthMode: option(choiceOption('SPECIFIED', 'ENVIRONMENT'), {
    group: AWS,
    description:
      'Whether an access key is given, or credentials are found in the ways of the SDK (variables, shared files, web identity, roles). Default: SPECIFIED with an access key id, otherwise ENVIRONMENT.',
  }),
  awsKmsRegion: option(textOption('REGION'), {
    group: AWS,
    description: 'Region of the keys; needed with an access key.',
  }),
  awsKmsAccessKeyId: option(textOption('ID'), { group: AWS, description: 'Id of an access key.' }),
  awsKmsSecretAccessKeyFile: option(secretFileOption(), {
    group: AWS,
    description: 'File with the secret of the access key.',
  }),
  awsEndpointOverride: option(urlOption('http', 'https'), {
    group: AWS,
    description: 'URL in place of the region’s own.',
  }),
  awsKmsTagNamesFilter: option(listOption(textOption('NAME')), {
    group: AWS,
    description: 'Load no key that has a tag with another name.',
    default: [],
  }),
  awsKmsTagValuesFilter: option(listOption(textOption('VALUE')), {
    group: AWS,
    description: 'Load no key that has a tag with another value.',
    default: [],
  }),
  awsSecretsEnabled: option(booleanOption(), {
    group: AWS_SECRETS,
    description:
      'Load the keys in the secrets of a region, a line each (as web3signer does for its other commands).',
    default: false,
  }),
  awsSecretsAuthMode: option(choiceOption('SPECIFIED', 'ENVIRONMENT'), {
    group: AWS_SECRETS,
    description: 'As --aws-kms-auth-mode.',
  }),
  awsSecretsRegion: option(textOption('REGION'), {
    group: AWS_SECRETS,
    description: 'Region of the secrets; needed with an access key.',
  }),
  awsSecretsAccessKeyId: option(textOption('ID'), {
    group: AWS_SECRETS,
    description: 'Id of an access key.',
  }),
  awsSecretsSecretAccessKeyFile: option(secretFileOption(), {
    group: AWS_SECRETS,
    description: 'File with the secret of the access key.',
  }),
  awsSecretsPrefixesFilter: option(listOption(textOption('PREFIX')), {
    group: AWS_SECRETS,
    description: 'Load only secrets whose names begin with one of these.',
    default: [],
  }),
  awsSecretsTagNamesFilter: option(listOption(textOption('NAME')), {
    group: AWS_SECRETS,
    description: 'Load only secrets that have a tag with one of these names.',
    default: [],
  }),
  awsSecretsTagValuesFilter: option(listOption(textOption('VALUE')), {
    group: AWS_SECRETS,
    description: 'Load only secrets that have a tag with one of these values.',
    default: [],
  }),
  azureVaultEnabled: option(booleanOption(), {
    group: AZURE,
    description: 'Load the enabled keys of a vault (as in web3signer).',
    default: false,
  }),
  azureTags: option(listOption(textOption('NAME=VALUE')), {
    group: AZURE,
    description: 'Load only keys that have all of these tags.',
    default: [],
  }),
  ...azureVaultOptions,
});
