/** Where an error is explained: a page of the repository, to which messages of errors link. */
export const ERRORS_PAGE = { docsBaseUrl: '', docsPath: 'docs/reference/errors.md', docsSlug: 'reasons' };

/** The page about this client. */
export const CLIENT_PAGE = { docsBaseUrl: '', docsPath: 'docs/how-to/typescript-client.md' };
