/** The files that name the version of a service, as they are after its release. */
export function versionedFiles(release: {
  readonly service: string;
  readonly version: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** The text of a file, by its path from the root; null when there is none. */
  readonly read: (path: string) => string | null;
  /** Whether the chart gets its next version: once for all services that are released together. */
  readonly bumpsChart: boolean;
}): readonly { readonly path: string; readonly content: string }[];
